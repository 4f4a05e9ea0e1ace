import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stdioCassetteServer } from '../../../src/adapters/mock-server/stdio-cassette-server.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const tape = join(temporaryFolder(), 'cassette.yaml');
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
