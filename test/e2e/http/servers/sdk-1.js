#!/usr/bin/env node
/**
 * `sdk-1.js json|sse|resumable|stateless|counted`: a server on `@modelcontextprotocol/sdk` 1.x, answering in that form. The
 * last one answers by SSE, and counts its sessions.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { sdk1Server } from '../../servers/sdk-1-server.js';
import { eventStore } from './event-store.js';

const [, , form] = process.argv;
const sessions = new Map();

let count = 0;
const idOf = { stateless: undefined, counted: () => String(++count) };

async function transportFor(request) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known;
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: form in idOf ? idOf[form] : randomUUID,
    enableJsonResponse: form === 'json',
    ...(form === 'resumable' && { eventStore: eventStore(), retryInterval: 10 }),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await sdk1Server().connect(transport);
  return transport;
}

createServer(async (request, response) => {
  if (form === 'stateless' && request.method !== 'POST') return response.writeHead(405).end();
  const transport = await transportFor(request);
  await transport.handleRequest(request, response);
}).listen(Number(process.env.PORT), '127.0.0.1');
