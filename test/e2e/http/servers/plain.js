#!/usr/bin/env node
/**
 * A server of sessions in the fewest lines, for tests that count: `GET /count` tells how many other requests came, `whoami`
 * which session asks, `stream` says as many events as `params.count`; of the first `params.acknowledged` it says each only
 * when the client has told that it heard the one before, by a notification `heard`. The log on stdout names each
 * request whose client vanished.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const heardIn = new Map();
let requests = 0;

// A connection lasts as long as its client wants it: between two requests of a crowd a slow machine may need longer than Node waits.
createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  if (request.url === '/count') return response.end(String(requests));
  requests++;
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = JSON.parse(body);
  const session = request.headers['mcp-session-id'] ?? randomUUID();
  const reply = (result) =>
    response
      .writeHead(200, {
        'Content-Type': 'application/json',
        ...(method === 'initialize' && { 'Mcp-Session-Id': session }),
      })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));

  response.once('close', () => {
    if (!response.writableFinished) console.log(`lost ${method}`);
  });
  if (method === 'initialize') return reply({ protocolVersion: '2025-11-25', capabilities: {} });
  if (method === 'whoami') return reply({ who: params.who, session });
  if (method === 'hang') return response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
  if (method === 'die') process.exit(1);
  if (method === 'heard') {
    heardIn.get(session)?.();
    return response.writeHead(202).end();
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (let n = 0; n < params.count; n++) {
    const heard = new Promise((resolve) => heardIn.set(session, resolve));
    const event = {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: `event ${n}` },
    };
    if (!response.write(`data: ${JSON.stringify(event)}\n\n`)) await once(response, 'drain');
    if (n < params.acknowledged) await heard;
  }
  response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n\n`);
}).listen(Number(process.env.PORT), '127.0.0.1');
