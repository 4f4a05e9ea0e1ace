import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { startReverseProxy } from '../../../../src/transports/http/proxy/reverse-proxy.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';

/** A request as a hostile client may write it. */
const request = fc
  .record({
    before: fc.constantFrom('', '', '\r\n'),
    method: fc.constantFrom('POST', 'PUT', 'GET', 'DELETE', 'OPTIONS'),
    path: fc.constantFrom('/mcp', '/', '/x?y=1'),
    connection: fc.array(
      fc.constantFrom('keep-alive', 'Content-Length', 'content-length', 'Host', 'Transfer-Encoding', 'X-A', 'te', ' '),
      { maxLength: 4 },
    ),
    framing: fc.constantFrom('length', 'zeros', 'chunks', 'chunks with trailers', 'none'),
    body: fc.constantFrom('', '{}', 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n', '0\r\n\r\n', '\r\n\r\n'),
    fields: fc.array(fc.constantFrom('X-A: 1', 'X-B: 2', 'TE: trailers', 'Keep-Alive: 5', 'x-b:3'), { maxLength: 3 }),
  })
  .map(({ before, method, path, connection, framing, body, fields }) => {
    const size = body.length;
    const chunk = size === 0 ? '' : `${size.toString(16)};a=b\r\n${body}\r\n`;
    const [header, sent] = {
      length: [`Content-Length: ${size}\r\n`, body],
      zeros: [`Content-Length: 000${size}\r\n`, body],
      chunks: ['Transfer-Encoding: chunked\r\n', `${chunk}0\r\n\r\n`],
      'chunks with trailers': ['transfer-encoding: Chunked\r\n', `${chunk}0\r\nX-T: 1\r\n\r\n`],
      none: ['', ''],
    }[framing];
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...fields, `Connection: ${connection.join(', ')}`];
    return `${before}${lines.join('\r\n')}\r\n${header}\r\n${sent}`;
  });

const LAST = 'GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

it('a server understands the same requests behind the proxy as without it, whatever a client writes', async () => {
  let understood: unknown[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { method, url, headers } = request;
    const entry = { method, url, b: headers['x-b'], body: '' };
    understood.push(entry);
    entry.body = await text(request);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = await startReverseProxy({
    upstream: parseUpstream(`http://127.0.0.1:${port}/`),
    listen: { hostname: '127.0.0.1', port: 0 },
    allowed: [],
    clock: systemClock,
    exchange: () => () => {},
    trouble: () => {},
  });
  /** Returns what the server understands of `bytes` that come by one connection in pieces of `size`. */
  const send = async (port: number, bytes: string, size: number) => {
    understood = [];
    const socket = connect({ port, host: '127.0.0.1' });
    socket.resume();
    socket.on('error', () => {});
    for (let at = 0; at < bytes.length; at += size) socket.write(bytes.slice(at, at + size), 'latin1');
    await once(socket, 'close');
    return understood;
  };
  const proxyPort = Number(new URL(proxy.origin).port);
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 200 }),
      async (requests, size) => {
        const bytes = requests.join('') + LAST;
        const direct = await send(port, bytes, size);
        expect(direct).toHaveLength(requests.length + 1);
        expect(await send(proxyPort, bytes, size)).toEqual(direct);
      },
    ),
    { numRuns: Number(process.env.FUZZ ?? 150) },
  );
  await proxy.close();
  server.close();
});
