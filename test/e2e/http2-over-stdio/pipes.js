/** HTTP/2 over the standard streams of a process, and over those of a process that it starts. */
import { spawn } from 'node:child_process';
import { connect, constants, createServer } from 'node:http2';
import { Duplex } from 'node:stream';

/** What clients name as the server. No draft says it: a process has no address. */
export const ORIGIN = 'http://localhost';

/** Fields of HTTP/2 itself, and those that belong to one connection of HTTP/1.1 (RFC 9113, 8.2.2). */
const OF_CONNECTION = /^(?::|(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|host)$)/;

/** Fields that another connection may repeat. */
export function endToEnd(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name)));
}

/** Serves HTTP/2 on the standard streams, by events of `http2.Http2Server`. `closed` is called with the connection's end. */
export function serveStandardStreams(listeners, closed = () => {}) {
  const server = createServer().on('session', (session) => session.once('close', closed));
  for (const [event, listener] of Object.entries(listeners)) server.on(event, listener);
  server.emit('connection', Duplex.from({ readable: process.stdin, writable: process.stdout }));
}

/** Starts a server, and opens HTTP/2 on its standard streams. */
export function startServer([command, ...args]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const pipes = Duplex.from({ readable: child.stdout, writable: child.stdin });
  const session = connect(ORIGIN, { createConnection: () => pipes });
  // Each stream tells of a lost connection itself.
  session.on('error', () => {});
  return { child, session };
}

/** `fetch` on streams of a connection. An abort resets the stream alone. */
export function fetchOn(session) {
  return async (url, init) => {
    const request = new Request(url, init);
    const { pathname, search } = new URL(request.url);
    const stream = session.request({
      ...Object.fromEntries(request.headers),
      ':method': request.method,
      ':path': pathname + search,
    });
    const abort = () => stream.close(constants.NGHTTP2_CANCEL);
    request.signal.addEventListener('abort', abort);
    stream.once('close', () => request.signal.removeEventListener('abort', abort));
    stream.end(Buffer.from(await request.arrayBuffer()));
    const { ':status': status, ...headers } = await new Promise((resolve, reject) => {
      stream.once('response', resolve).once('error', reject);
      stream.once('close', () => reject(request.signal.reason ?? new Error('the stream was closed')));
    });
    const body = new ReadableStream({
      start(controller) {
        stream.on('data', (data) => controller.enqueue(new Uint8Array(data)));
        stream.once('end', () => (stream.rstCode === 0 ? controller.close() : undefined));
        stream.once('close', () => {
          if (stream.rstCode !== 0) controller.error(request.signal.reason ?? new Error(`reset: ${stream.rstCode}`));
        });
      },
    });
    const hasBody = ![204, 205, 304].includes(status);
    return new Response(hasBody ? body : null, { status, headers: endToEnd(headers) });
  };
}
