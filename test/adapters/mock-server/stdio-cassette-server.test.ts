import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { faultFunction } from '../../../src/adapters/fault-rule-factory.ts';
import { stdioCassetteServer } from '../../../src/adapters/mock-server/stdio-cassette-server.ts';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const tape = join(folder, 'cassette.yaml');
writeFileSync(
  tape,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: ask } }
- server: { jsonrpc: "2.0", id: 0, method: sampling/createMessage, params: { messages: [], maxTokens: 7 } }
- client: { jsonrpc: "2.0", id: 0, result: { role: assistant } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [] } }
`,
);

it('has messages in the order in which they came, also while somebody looks at each', async () => {
  await using mock = stdioCassetteServer(tape, { over: 'stdio' });
  const file = mock.args[mock.args.indexOf('--findings') + 1]!;
  const tell = (from: string, message: object) =>
    appendFileSync(file, `${JSON.stringify({ pid: 1, from, message: { jsonrpc: '2.0', ...message } })}\n`);
  tell('client', { id: 1, method: 'tools/call', params: { name: 'ask' } });
  tell('server', { id: 0, method: 'sampling/createMessage', params: {} });
  let isAnswered = false;
  const unwatch = mock.journal.watch(() => {
    if (!isAnswered) tell('client', { id: 0, result: { role: 'assistant' } });
    isAnswered = true;
    // As `waitFor` does.
    void mock.journal.entries;
  });
  void mock.journal.entries;
  unwatch();
  expect(mock.journal.entries).toMatchObject([
    { kind: 'request', method: 'tools/call' },
    { kind: 'answer', to: 'sampling/createMessage' },
  ]);
});

it('leaves no folder where it refuses a fault, and none when it has finished', async () => {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, temporary);
  const own = faultFunction({ ...FAULTS.get('drop')!, name: 'own' });
  expect(() => stdioCassetteServer(tape, { over: 'stdio', faults: [own()] })).toThrow('[FAULT_NO_MEANING]');
  expect(readdirSync(temporary)).toEqual([]);
  const server = stdioCassetteServer(tape, { over: 'stdio', onUnused: 'report' });
  expect(readdirSync(temporary)).toHaveLength(1);
  await server.finish();
  expect(readdirSync(temporary)).toEqual([]);
  vi.unstubAllEnvs();
});
