import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Posted {
  id?: number;
  method: string;
  params?: { protocolVersion?: string; _meta?: { progressToken?: number } };
}

/** A server over HTTP that writes the progress of a call, and its answer, in one piece of one event stream. */
export async function inOnePiece() {
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body) as Posted;
    if (id === undefined) return void response.writeHead(202).end();
    const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
    const { protocolVersion, _meta } = params ?? {};
    const serverInfo = { name: 'in-one-piece', version: '1' };
    const result =
      method === 'initialize' ? { protocolVersion, capabilities: { tools: {} }, serverInfo } : { content: [] };
    const told = [1, 2].map((progress) => {
      const reported = { progressToken: _meta?.progressToken, progress };
      return event({ method: 'notifications/progress', params: reported });
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${method === 'tools/call' ? told.join('') : ''}${event({ id, result })}`);
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
    },
  };
}
