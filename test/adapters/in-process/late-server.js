import { setTimeout as delay } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** What a server says after its answer to a call. `at` holds what its messages name. */
const LATE = {
  nothing: () => {},
  progress: (send, { progressToken }) =>
    send({ method: 'notifications/progress', params: { progressToken, progress: 2 } }),
  answer: (send, { id }) => send({ id, result: { content: [] } }),
  log: (send) => send({ method: 'notifications/message', params: { level: 'loud', data: 'x' } }),
};

/** How long after its answer a server says it. */
const WAITS = {
  timeout: (say) => void setTimeout(say, 30),
  chain: async (say) => {
    await delay(10);
    await new Promise((resolve) => setImmediate(resolve));
    await delay(20);
    say();
  },
  long: (say) => void setTimeout(say, 60_000),
  // Longer than a busy machine needs for the end of a session, and shorter than what a client waits for.
  interval: (say) => void setInterval(say, 1_500).unref(),
};
// An interval that keeps its process alive, as one that is forgotten does.
WAITS.forgotten = (say) => void setInterval(say, 30);

/** Connects a server of the official SDK, whose tool says `late` after its answer. */
export async function connectLateServer(transport, late, wait = 'timeout') {
  const server = new Server({ name: 'late', version: '1' }, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId: id }) => {
    const send = (message) => transport.send({ jsonrpc: '2.0', ...message }).catch(() => {});
    WAITS[wait](() => LATE[late](send, { id, progressToken: params._meta?.progressToken }));
    return { content: [] };
  });
  await server.connect(transport);
}

const [, file, late, wait] = process.argv;
if (file === import.meta.filename) await connectLateServer(new StdioServerTransport(), late, wait);
