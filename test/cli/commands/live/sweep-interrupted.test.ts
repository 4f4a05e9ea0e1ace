import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freeNames, holds, temporaryFolder } from '../../../support/cassette.ts';
import { type Command, mcpRecord } from '../../../support/command.ts';
import { titled } from '../../../support/on-posix.ts';
import { fixture, gone, Running } from '../../../support/process.ts';
import { hasTerminal, OnTerminal } from '../../../support/terminal.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const cassette = newFile();
writeFileSync(
  cassette,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: s, version: "1" } } }
- client: { jsonrpc: "2.0", method: notifications/initialized }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [{ type: text, text: rain }] } }
`,
);

interface Swept {
  results: { point: { name: string }; verdict: string }[];
  interrupted: string;
  left: string[];
}

const common = ['--jobs', '1', '--deadline', '600000'];

/** A sweep whose client takes `error-reply` well and hangs in the first `stall`. It writes its number, and its server's, to `numbers`. */
function sweepOfClient(numbers: string, ...options: string[]): Command {
  const { command, args } = fixture('swept.js', 'hangs', '{server}');
  const sweep = ['sweep', '--faults', 'error-reply,stall', ...common, ...options, cassette];
  return { ...mcpRecord(...sweep, '--', command, ...args), env: { PROCESSES: numbers } };
}

/** The numbers of all clients and servers that a sweep has started. */
const numbersIn = (file: string) => readFileSync(file, 'utf8').trim().split(/\s+/).map(Number);

describe('a sweep of a client that is interrupted', () => {
  it('reports the points so far, exits with 130, and leaves no process', async () => {
    const [numbers, junit] = [newFile(), join(folder, 'client.xml')];
    await using running = new Running(sweepOfClient(numbers, '--json', '--junit', junit)).read();
    // One without faults, two points, and the client that hangs.
    await holds(numbers, '\n', 4);
    running.signal('SIGINT');
    const { stdout, status } = await running.ended;
    for (const number of numbersIn(numbers)) await gone(number);
    const { results, interrupted, left } = JSON.parse(stdout.toString()) as Swept;
    expect(results.map(({ point, verdict }) => `${point.name} ${verdict}`)).toEqual([
      'error-reply@1 reported',
      'error-reply@2 reported',
    ]);
    expect([interrupted, left]).toEqual(['SIGINT', ['stall@1', 'stall@2']]);
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('tests="4" failures="0" errors="0" skipped="2"');
    expect(xml).toContain('not run: interrupted by SIGINT');
    expect(status).toBe(130);
  });

  it('in its first run, says so', async () => {
    const file = newFile();
    const hangs = [
      '-e',
      `require('fs').writeFileSync(${JSON.stringify(file)}, 'begun\\n'); setInterval(() => {}, 1000)`,
    ];
    await using running = new Running(mcpRecord('sweep', cassette, '--', process.execPath, ...hangs)).read();
    await holds(file, 'begun\n');
    running.signal('SIGINT');
    const { stderr, status } = await running.ended;
    expect([stderr, status]).toEqual([
      expect.stringContaining('the first run, without any fault, has not ended yet: --deadline MS limits it'),
      130,
    ]);
  });

  it.runIf(hasTerminal)(
    titled('on a terminal tells of each point, and leaves the table of those so far', 'terminals'),
    async () => {
      const numbers = newFile();
      await using terminal = new OnTerminal(sweepOfClient(numbers));
      await terminal.shows('2 of 4 points: 2 good (2 reported), 0 bad · reported error-reply@2');
      await holds(numbers, '\n', 4);
      terminal.type('\u0003');
      expect(await terminal.ended).toBe(130);
      expect(terminal.shown).toContain('error-reply  rr\n');
      expect(terminal.shown).toContain('2 of 4 points were not run: interrupted by SIGINT');
    },
  );
});

describe('a sweep of a server that is interrupted', () => {
  it('reports the points so far, exits with 143, and leaves no process', async () => {
    const numbers = newFile();
    const { command, args } = fixture('hangs-when-told.js', numbers);
    const options = ['--faults', 'slice,not-json', ...common, '--json'];
    const sweep = mcpRecord('sweep', '--server', ...options, cassette, '--', command, ...args);
    await using running = new Running(sweep).read();
    await holds(numbers, 'hangs\n');
    running.signal('SIGTERM');
    const { stdout, status } = await running.ended;
    const numbers2 = readFileSync(numbers, 'utf8').match(/\d+/g)!.map(Number);
    for (const number of numbers2) await gone(number);
    const { results, interrupted, left } = JSON.parse(stdout.toString()) as Swept;
    expect(results.map(({ point, verdict }) => `${point.name} ${verdict}`)).toEqual([
      'slice@1 passed',
      'slice@2 passed',
      'slice@3 passed',
    ]);
    expect([interrupted, left.slice(0, 2)]).toEqual(['SIGTERM', ['not-json@1', 'not-json@2']]);
    expect(status).toBe(143);
  });
});
