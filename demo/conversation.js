import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

const capabilities = { sampling: {}, elicitation: {} };

/** Has a short conversation with a server; returns each message that the client received, and how long it took. */
export async function converse(command, args) {
  const started = performance.now();
  const client = new Client({ name: 'demo', version: '1.0.0' }, { capabilities });
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: 'Roses are red.' },
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => {});

  const transport = new StdioClientTransport({ command, args, stderr: 'inherit' });
  const seen = listenIn(transport);
  await client.connect(transport);

  await client.listTools();
  await client.callTool({ name: 'echo', arguments: { message: 'Hello, cassette! 👋' } });
  await client.callTool({ name: 'get-structured-content', arguments: { location: 'New York' } });
  const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.5, steps: 5 } };
  await client.callTool(long, undefined, { onprogress: () => {} });
  await client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'A poem', maxTokens: 10 } });
  await client.callTool({ name: 'trigger-elicitation-request' });
  await Promise.all([1, 2, 3, 4].map((n) => client.callTool({ name: 'get-sum', arguments: { a: n, b: n } })));
  await client.callTool({ name: 'no-such-tool' });
  await client.close();
  return { seen, took: performance.now() - started };
}

/** Collects what a transport receives, from the first message on. */
function listenIn(transport) {
  const seen = [];
  const start = transport.start.bind(transport);
  transport.start = () => {
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      seen.push(message);
      receive?.(message, extra);
    };
    return start();
  };
  return seen;
}
