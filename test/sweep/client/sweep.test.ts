import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { CUTS, PATIENT, sweepsOf, swept } from './sweeps.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');

const { sweep } = sweepsOf(cassette);

describe('a sweep of a client that', () => {
  it('names the bad points, what they are, and where', async () => {
    const { text } = await sweep('lies', ...CUTS, ...PATIENT);
    expect(text).toContain(`lied cut@2: answer to tools/call "weather"  (${cassette}:`);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'No verdict sees a client that swallows an error (error-reply, isError)',
    );
  });
});

// A shell script stands for a client that starts its server again.
it.skipIf(process.platform === 'win32')('says that a fault comes again with each start of the server', async () => {
  const { command, args } = swept('fails', '{server}');
  const words = ['sh', '-c', '"$@" || "$@"', 'sh', command, ...args];
  const { stdout } = await run(mcpRecord('sweep', '--point', 'cut@2', ...PATIENT, cassette, '--', ...words));
  expect(stdout.toString()).toContain(
    'It started the server again and met the fault again, so recovery was not tested: cut@2',
  );
});

describe('a client that does not answer a cancelled request of the server', () => {
  const asking = join(folder, 'asking.yaml');
  writeFileSync(
    asking,
    `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: asks, version: "1" } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: say } }
- server: { id: 5, method: roots/list }
- client: { id: 5, result: { roots: [] } }
- server: { id: 1, result: { content: [] } }
`,
  );

  it.each([
    ['stdio', [], ['{server}']],
    ['HTTP', ['--http'], ['{url}']],
  ])('passes over %s', async (_, options, address) => {
    const { command, args } = fixture('lists-roots-slowly.js', ...address);
    const words = mcpRecord('sweep', ...options, '--faults', 'cancel', ...PATIENT, asking, '--', command, ...args);
    const { stdout, status } = await run(words);
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('1 good (1 passed), 0 bad')]);
    expect(stdout.toString()).toMatch(/^The deadline of each run was \d+ ms \(set with --deadline\)\.$/m);
  });
});
