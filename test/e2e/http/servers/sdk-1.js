#!/usr/bin/env node
/** `sdk-1.js json|sse|resumable|stateless`: a server on `@modelcontextprotocol/sdk` 1.x, answering in that form. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { eventStore } from './event-store.js';

const [, , form] = process.argv;
const text = (words) => ({ content: [{ type: 'text', text: words }] });

const inputSchema = { type: 'object' };
const tools = ['add', 'count', 'come-back'].map((name) => ({ name, inputSchema }));

function server() {
  const made = new Server({ name: 'sdk-1-server', version: '1.0.0' }, { capabilities: { tools: {} } });
  made.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  made.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => call(params, extra));
  return made;
}

async function call({ name, arguments: given, _meta }, { sendNotification, closeSSEStream }) {
  if (name === 'add') return text(String(given.a + given.b));
  if (name === 'count') {
    const progressToken = _meta?.progressToken;
    for (let progress = 1; progress <= given.to && progressToken !== undefined; progress++)
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: given.to },
      });
    return text(`counted to ${given.to}`);
  }
  if (name !== 'come-back') throw new Error(`There is no tool ${name}`);
  // Closes the stream before it has answered: the client is to come back for the answer.
  closeSSEStream?.();
  return text('welcome back');
}

const sessions = new Map();

async function transportFor(request) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known;
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: form === 'stateless' ? undefined : randomUUID,
    enableJsonResponse: form === 'json',
    ...(form === 'resumable' && { eventStore: eventStore(), retryInterval: 10 }),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await server().connect(transport);
  return transport;
}

createServer(async (request, response) => {
  if (form === 'stateless' && request.method !== 'POST') return response.writeHead(405).end();
  const transport = await transportFor(request);
  await transport.handleRequest(request, response);
}).listen(Number(process.env.PORT), '127.0.0.1');
