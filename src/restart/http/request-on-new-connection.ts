import { asMicrotask } from '../../kernel/clock.ts';
import { reset } from '../../transports/http/http1/mirror-close.ts';
import type { ResponseHead } from '../../transports/http/http1/response-head.ts';
import type { CloseKind } from '../../transports/http/proxy/http-traffic.ts';
import type { UpstreamRequest } from '../../transports/http/proxy/upstream-request-head.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import type { UpstreamConnection } from '../../transports/http/upstream/upstream-connection.ts';
import { UpstreamPool } from '../../transports/http/upstream/upstream-pool.ts';

/** Outcome of a request to the server. */
export type Reply =
  /** Connecting failed: the server did not receive the request. */
  | { kind: 'unreachable'; error: Error }
  /** The server answered with bytes that are not HTTP. */
  | { kind: 'invalid'; error: Error }
  /** The connection ended before a response. */
  | { kind: 'lost'; how: CloseKind }
  | { kind: 'response'; head: ResponseHead; body: ResponseBody };

/** Request that was sent to the server. */
export interface AskedServer {
  reply: Promise<Reply>;
  /** Closes the connection and discards the unread rest of the response. */
  destroy(how?: CloseKind): void;
}

export interface ServerAddress {
  upstream: Upstream;
  /** CA certificates in PEM that replace the default ones. */
  ca?: readonly string[] | undefined;
}

/** Number of bytes that wait for their reader before the server is paused. */
const WAITING_BYTES_MAX = 1024 * 1024;

/** End of a body: complete, or the way in which its connection ended. */
export type BodyEnd = 'end' | CloseKind;

/** Body of a response, read piece by piece. */
export class ResponseBody {
  readonly #connection: Pick<UpstreamConnection, 'pause' | 'resume'>;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #ending: BodyEnd | undefined;
  #wake: () => void = () => {};

  constructor(connection: Pick<UpstreamConnection, 'pause' | 'resume'>) {
    this.#connection = connection;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > WAITING_BYTES_MAX) this.#connection.pause();
    this.#wake();
  }

  finish(how: BodyEnd): void {
    this.#ending ??= how;
    this.#wake();
  }

  /** Returns the next piece, or the end. */
  async next(): Promise<Buffer | BodyEnd> {
    while (this.#pieces.length === 0) {
      if (this.#ending !== undefined) return this.#ending;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const piece = this.#pieces.shift()!;
    this.#bytes -= piece.length;
    if (this.#pieces.length === 0 && this.#ending === undefined) this.#connection.resume();
    return piece;
  }

  /** Returns the whole body, or the way in which its connection ended before. */
  async whole(): Promise<Buffer | CloseKind> {
    const pieces: Buffer[] = [];
    for (;;) {
      const piece = await this.next();
      if (piece === 'end') return Buffer.concat(pieces);
      if (typeof piece === 'string') return piece;
      pieces.push(piece);
    }
  }
}

/**
 * Sends a request on a new connection. On a reused connection to a server that has just ended, nobody could tell
 * whether the server received the request.
 */
export function askServer({ upstream, ca }: ServerAddress, request: UpstreamRequest, body: Uint8Array): AskedServer {
  const pool = new UpstreamPool({ ...(ca && { ca }), closed() {} });
  let connection: UpstreamConnection | undefined;
  let answer: ResponseBody | undefined;
  let isDestroyed = false;
  let lose = (_how: CloseKind) => {};
  const reply = new Promise<Reply>((resolve) => {
    lose = (how) => (answer ? answer.finish(how) : resolve({ kind: 'lost', how }));
    const taken = (made: UpstreamConnection) => {
      if (isDestroyed) return made.destroy();
      connection = made;
      made.ask(request, {
        interim() {},
        head(head) {
          answer = new ResponseBody(made);
          resolve({ kind: 'response', head, body: answer });
        },
        data: (data) => answer?.add(data),
        settle() {},
        end() {
          answer?.finish('end');
          asMicrotask(() => pool.destroy());
        },
        drain() {},
        invalid(error) {
          resolve({ kind: 'invalid', error });
          answer?.finish('fin');
        },
        lost: (how, error) => (error ? resolve({ kind: 'unreachable', error }) : lose(how)),
      });
      if (body.length > 0) made.write(body);
      made.end();
      made.settle();
    };
    pool.take(upstream, taken, (error) => resolve({ kind: 'unreachable', error }));
  });
  return {
    reply,
    destroy(how = 'fin') {
      isDestroyed = true;
      if (connection && how === 'rst') reset(connection.socket);
      pool.destroy();
      lose(how);
    },
  };
}
