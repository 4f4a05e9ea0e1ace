#!/usr/bin/env node
/**
 * `comment-first.js`: HTTP with SSE, whose stream begins with a comment and a time to reconnect, and then names its endpoint
 * by a complete URL.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const streams = new Map();
const serverInfo = { name: 'comment-first', version: '1' };
const RESULTS = {
  initialize: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo },
  'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: '3' }] },
};

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (request.method === 'GET' && pathname === '/sse') {
    const id = randomUUID();
    streams.set(id, response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': welcome\n\nretry: 3000\n\n');
    const endpoint = `http://${request.headers.host}/message?sessionId=${id}`;
    return response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
  }
  const stream = streams.get(searchParams.get('sessionId'));
  if (request.method !== 'POST' || stream === undefined) return response.writeHead(404).end();
  const { id, method } = JSON.parse(await text(request));
  response.writeHead(202).end('Accepted');
  if (id !== undefined)
    stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] })}\n\n`);
}).listen(Number(process.env.PORT), '127.0.0.1');
