import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import type { HttpTrafficEvent } from '../../../src/transports/http/proxy/http-traffic.ts';
import { startReverseProxy } from '../../../src/transports/http/proxy/reverse-proxy.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';

/** One end of a TCP connection, byte by byte. */
export class Wire implements Disposable {
  readonly socket: Socket;
  /** All it has heard. */
  heard = '';
  /** How the other end left: `end`, or the code of an error. */
  readonly left: Promise<string>;
  #watchers: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    this.left = new Promise((resolve) => {
      socket.once('end', () => resolve('end'));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
    socket.on('data', (data) => {
      this.heard += data.toString('latin1');
      for (const look of this.#watchers) look();
    });
  }

  says(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Waits until it has heard `text`, or what `text` matches; gives all it has heard, and forgets it. */
  async hears(text: string | RegExp): Promise<string> {
    const isThere = () => (typeof text === 'string' ? this.heard.includes(text) : text.test(this.heard));
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isThere()) return;
        this.#watchers = this.#watchers.filter((other) => other !== look);
        resolve();
      };
      this.#watchers.push(look);
      look();
    });
    const heard = this.heard;
    this.heard = '';
    return heard;
  }

  /** Waits until it has heard something more. */
  async more(): Promise<void> {
    const before = this.heard;
    while (this.heard === before) await once(this.socket, 'data');
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

/** A server that the test speaks for, a proxy before it, and clients that the test speaks for. */
export async function wires(url = '/mcp', headers: Readonly<Record<string, string>> = {}, clock: Clock = systemClock) {
  const arrived: Wire[] = [];
  let waiting: ((wire: Wire) => void)[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const wire = new Wire(socket);
    const next = waiting.shift();
    if (next) next(wire);
    else arrived.push(wire);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const farPort = (server.address() as AddressInfo).port;
  const aside: { origin: string; piece: HttpTrafficEvent }[] = [];
  const pieces: HttpTrafficEvent[] = [];
  const troubles: string[] = [];
  let watchers: (() => void)[] = [];
  const proxy = await startReverseProxy({
    upstream: parseUpstream(`http://127.0.0.1:${farPort}${url}`),
    listen: { hostname: '127.0.0.1', port: 0 },
    allowed: [],
    headers,
    clock,
    exchange: () => (piece) => {
      pieces.push(piece);
      for (const look of watchers) look();
    },
    aside: (origin) => (piece) => aside.push({ origin, piece }),
    trouble: ({ code }) => troubles.push(code),
  });
  const port = Number(new URL(proxy.origin).port);
  const clients: Wire[] = [];
  return {
    port,
    farPort,
    pieces,
    /** Traffic with authorization servers at other origins. */
    aside,
    troubles,
    server,
    /** A client connects. */
    client(): Wire {
      const wire = new Wire(connect({ port, host: '127.0.0.1', allowHalfOpen: true }));
      clients.push(wire);
      return wire;
    },
    /** The proxy's next connection to the server. */
    far(): Promise<Wire> {
      const wire = arrived.shift();
      return wire ? Promise.resolve(wire) : new Promise((resolve) => waiting.push(resolve));
    },
    /** How many connections came that nobody asked for. */
    get uninvited() {
      return arrived.length;
    },
    /** The side that was lost, and how. */
    async lost(): Promise<string> {
      for (;;) {
        const gone = pieces.find((piece) => piece.kind === 'gone');
        if (gone?.kind === 'gone') return `${gone.from} ${gone.how}`;
        await new Promise<void>((resolve) => {
          watchers = [resolve];
        });
        watchers = [];
      }
    },
    async [Symbol.asyncDispose]() {
      waiting = [];
      for (const { socket } of [...clients, ...arrived]) socket.destroy();
      await proxy.close();
      server.close();
    },
  };
}

export const post = (port: number, body: string, ...headers: string[]): string =>
  [`POST /mcp HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, `Content-Length: ${body.length}`, '', body].join(
    '\r\n',
  );

export const get = (port: number, target = '/mcp', ...headers: string[]): string =>
  [`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n');

export const STREAM = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';

export const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
