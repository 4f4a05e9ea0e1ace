#!/usr/bin/env node
/** `breaks.js HOW`: a server that opens a session as it should, and then answers the call of the tool "first" in no way it should. */
import { createServer } from 'node:http';

const [, , how] = process.argv;

const said = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"one"}}\n\n';

const ways = {
  page: (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>'),
  'other-type': (response, answer) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(answer),
  'no-json': (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"jsonrpc":'),
  'no-event': (response) => events(response).end('data: {"jsonrpc":\n\n'),
  cut: (response, answer) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 });
    response.write(answer, () => response.socket.destroy());
  },
  'cut-stream': (response, answer) => {
    events(response).write(`data: ${answer.slice(0, 10)}`, () => response.socket.destroy());
  },
  closes: (response) => response.socket.destroySoon(),
  resets: (response) => response.socket.resetAndDestroy(),
  'closes-stream': (response) => {
    events(response).write(said, () => response.socket.destroySoon());
  },
  'closes-begun': (response) => {
    events(response).flushHeaders();
    response.socket.destroySoon();
  },
  hangs: () => {},
  'hangs-on': (response) => events(response).flushHeaders(),
  refuses: (response) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end('out of order'),
  unauthorized: (response) => response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end(),
  elsewhere: (response) => response.writeHead(307, { Location: 'https://example.com/mcp' }).end(),
  forgets: (response) => {
    const error = { code: -32001, message: 'Session not found' };
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  },
  dies: () => process.exit(1),
};

function events(response) {
  return response.writeHead(200, { 'Content-Type': 'text/event-stream' });
}

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) return response.writeHead(202).end();
  const isFirst = method === 'tools/call' && params.name === 'first';
  const result =
    method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'breaks', version: '1' } }
      : { content: [{ type: 'text', text: params.name }] };
  const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
  if (isFirst && how in ways) return ways[how](response, answer);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': 's' }).end(answer);
}).listen(Number(process.env.PORT), '127.0.0.1');
