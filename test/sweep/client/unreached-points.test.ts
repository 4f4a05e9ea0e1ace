import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const OPEN = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: s, version: "1" } } }
- client: { method: notifications/initialized }
`;
const CALL = `- client: { id: 1, method: tools/call, params: { name: weather } }
- server: { id: 1, result: { content: [] } }
`;
const [opened, called] = [newFile(), newFile()];
writeFileSync(opened, OPEN);
writeFileSync(called, OPEN + CALL);

interface Swept {
  results: { point: { name: string }; verdict: string; why?: string }[];
  leftOut?: { title: string; line: number }[];
}

interface Sweep {
  over: 'stdio' | 'http';
  cassette: string;
  /** Options of the sweep. */
  options?: readonly string[];
  faults?: string;
  /** Status of the client, if it gives up in each run with a fault. */
  givesUp?: number;
}

const sweep = ({ over, cassette, options = [], givesUp, faults = 'duplicate,junk' }: Sweep) => {
  const [server, http] = over === 'http' ? ['{url}', ['--http']] : ['{server}', []];
  const { command, args } = fixture('gives-up.js', givesUp === undefined ? '' : newFile(), String(givesUp), server);
  return run(mcpRecord('sweep', ...http, ...options, '--faults', faults, cassette, '--', command, ...args));
};

describe.each(['stdio', 'http'] as const)('over %s, a client', (over) => {
  it.each([0, 1])('that gives up with %i before the fault happened does not pass', async (givesUp) => {
    const junit = newFile();
    const options = ['--json', '--junit', junit];
    const { stdout, status } = await sweep({ over, cassette: opened, options, givesUp });
    const { results } = JSON.parse(stdout.toString()) as Swept;
    const why = `it ended with ${givesUp} before the fault happened. Let it wait longer, or try --jobs 1`;
    expect(results.map(({ point, verdict, why }) => [point.name, verdict, why])).toEqual([
      ['duplicate@1', 'unreached', why],
      ['junk@1', 'unreached', why],
    ]);
    expect(readFileSync(junit, 'utf8')).toMatch(/tests="2" failures="2"/);
    expect(status).toBe(1);
  });

  it('is not tested by a fault that changes nothing', async () => {
    const { stdout, status } = await sweep({
      over,
      cassette: called,
      options: ['--json'],
      faults: 'cut:bytes=5000,oversize:bytes=20',
    });
    const { results } = JSON.parse(stdout.toString()) as Swept;
    expect(results.map(({ point, verdict, why }) => [point.name, verdict, why])).toEqual([
      ['cut@1', 'unreached', expect.stringMatching(/^the fault changed nothing: the message has \d+ bytes, no more/)],
      ['oversize@1', 'unreached', expect.stringMatching(/^the fault changed nothing: the message had \d+ bytes/)],
    ]);
    expect(status).toBe(1);
  });

  it('that does not get to a message without a fault either is told which points are left out', async () => {
    const { stdout, status } = await sweep({ over, cassette: called, options: ['--json'] });
    const { results, leftOut } = JSON.parse(stdout.toString()) as Swept;
    expect(results.map(({ point, verdict }) => `${point.name} ${verdict}`)).toEqual([
      'duplicate@1 passed',
      'junk@1 passed',
    ]);
    expect(leftOut).toMatchObject([{ title: 'answer to tools/call "weather"', line: 7 }]);
    expect(status).toBe(0);
  });
});

afterEach(() => vi.unstubAllEnvs());

describe('a sweep on a terminal or in a log', () => {
  it('names the points whose fault did not happen, once for each reason', async () => {
    const { stdout } = await sweep({ over: 'stdio', cassette: opened, givesUp: 1 });
    expect(stdout.toString()).toMatch(/^junk {7}U$/m);
    expect(stdout.toString()).toContain('standard error of duplicate@1:\n    gives-up: initialize timed out\n');
    expect(stdout.toString()).toMatch(/^unreached junk: it ended with 1 before the fault happened.*: junk@1$/m);
  });

  it('names the messages that the client never gets', async () => {
    const { stdout } = await sweep({ over: 'stdio', cassette: called });
    const place = `answer to tools/call "weather" (${called}:7)`;
    expect(stdout.toString()).toContain(`left out ${place}: the client does not get it without a fault either`);
  });

  it('says that a client leaves processes behind without a fault, too', async () => {
    vi.stubEnv('LEAKS', '1');
    const { stdout, stderr, status } = await sweep({ over: 'stdio', cassette: opened });
    expect(stderr.match(/the client leaves process.* behind without any fault, too/g)).toHaveLength(1);
    expect([stdout.toString(), status]).toEqual([expect.stringMatching(/it left process \d+ \(.*[\s\S]*2 leaked/), 1]);
  });

  it('is refused if all of its points are such messages', async () => {
    const options = ['--point', 'junk@2'];
    const { stderr, status } = await sweep({ over: 'stdio', cassette: called, options });
    expect([stderr, status]).toEqual([expect.stringContaining('[SWEEP_NO_POINTS]'), 2]);
  });
});
