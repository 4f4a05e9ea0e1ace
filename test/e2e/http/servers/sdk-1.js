#!/usr/bin/env node
/** `sdk-1.js json|sse|resumable|stateless`: a server on `@modelcontextprotocol/sdk` 1.x, answering in that form. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const [, , form] = process.argv;
const text = (words) => ({ content: [{ type: 'text', text: words }] });

function server() {
  const made = new McpServer({ name: 'sdk-1-server', version: '1.0.0' });
  made.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) =>
    text(String(a + b)),
  );
  made.registerTool(
    'count',
    { inputSchema: { to: z.number() } },
    async ({ to }, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      for (let progress = 1; progress <= to && progressToken !== undefined; progress++)
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: to },
        });
      return text(`counted to ${to}`);
    },
  );
  // Closes the stream before it has answered: the client is to come back for the answer.
  made.registerTool('come-back', {}, async ({ closeSSEStream }) => {
    closeSSEStream?.();
    return text('welcome back');
  });
  return made;
}

/** Events by their ids, of which none names its session. */
function eventStore() {
  const events = [];
  return {
    async storeEvent(streamId, message) {
      events.push({ streamId, message });
      return String(events.length);
    },
    async getStreamIdForEventId(id) {
      return events[Number(id) - 1]?.streamId;
    },
    async replayEventsAfter(id, { send }) {
      const { streamId } = events[Number(id) - 1];
      for (const [n, event] of events.entries())
        if (n >= Number(id) && event.streamId === streamId && event.message.jsonrpc)
          await send(String(n + 1), event.message);
      return streamId;
    },
  };
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
