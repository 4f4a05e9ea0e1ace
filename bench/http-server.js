// Answers as told: JSON, events said one at a time when asked for, a flood of them, or a large one.
import { createServer } from 'node:http';

const event = (message) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const notification = (n) => event({ method: 'notifications/message', params: { level: 'info', data: `event ${n}` } });
let listener;
let sessions = 0;

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = JSON.parse(body);
  if (method === 'tick') {
    response.writeHead(202).end();
    return listener.write(notification(params.id));
  }
  if (method === 'echo') {
    const text = JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: 'hello' }] },
    });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length });
    return response.end(text);
  }
  if (method === 'initialize') {
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: {},
      serverInfo: { name: 'bench', version: '1' },
    };
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Mcp-Session-Id': `session-${++sessions}`,
    });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.flushHeaders();
  if (method === 'listen') {
    listener = response;
    return;
  }
  if (method === 'large') return response.end(event({ id, result: { text: 'x'.repeat(params.bytes) } }));
  for (let n = 0; n < params.count; n++) {
    if (!response.write(notification(n))) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end(event({ id, result: {} }));
});
server.listen(0, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${server.address().port}/mcp for`));
