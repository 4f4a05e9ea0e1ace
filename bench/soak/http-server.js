import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * A server of sessions that answers as it is told: JSON, an event stream, one that breaks off, an error, nothing. Lives in
 * this process, which thereby sees what the server of a session saw.
 */
export async function startServer() {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params = {} } = JSON.parse(body || '{}');
    const head = { 'Content-Type': 'application/json' };
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: params });
    if (request.method === 'DELETE') return response.writeHead(200).end();
    if (method === 'initialize') {
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      };
      return response
        .writeHead(200, { ...head, 'Mcp-Session-Id': randomUUID() })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'json') return response.writeHead(200, head).end(answer);
    if (method === 'error') return response.writeHead(500, { 'Content-Type': 'text/plain' }).end('out of order');
    if (method === 'reset') return request.socket.resetAndDestroy();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    if (method === 'hang') return;
    for (let n = 0; n < params.count; n++) {
      const event = { jsonrpc: '2.0', method: 'notifications/message', params: { who: params.who, n } };
      response.write(`id: ${n}\ndata: ${JSON.stringify(event)}\n\n`);
      if (method === 'cut' && n === params.count >> 1) return response.destroy();
    }
    response.end(`data: ${answer}\n\n`);
  });
  // A connection that its server closes just as it is used again is no fault of whoever stands between.
  server.keepAliveTimeout = 600_000;
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    /** How many connections are open. */
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: () => server.closeAllConnections() || server.close(),
  };
}
