#!/usr/bin/env node
/** `server.js json|sse|stateless`: a server on `@modelcontextprotocol/sdk` 1.x that web pages of any origin may ask. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const [, , form] = process.argv;
const sessions = new Map();

function mcpServer() {
  const server = new McpServer({ name: 'pages', version: '1' });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerResource('one', 'test://one', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'one' }] }));
  return server;
}

async function transportFor(request) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known;
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: form === 'stateless' ? undefined : randomUUID,
    enableJsonResponse: form === 'json',
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await mcpServer().connect(transport);
  return transport;
}

createServer(async (request, response) => {
  const asked = request.headers['access-control-request-headers'];
  response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id');
  if (request.method === 'OPTIONS') {
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
    if (asked) response.setHeader('Access-Control-Allow-Headers', asked);
    return response.writeHead(204).end();
  }
  if (form === 'stateless' && request.method !== 'POST') return response.writeHead(405).end();
  const transport = await transportFor(request);
  await transport.handleRequest(request, response);
}).listen(Number(process.env.PORT), '127.0.0.1');
