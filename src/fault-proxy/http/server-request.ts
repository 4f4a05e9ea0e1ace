import { validateHeaderValue } from 'node:http';
import type { MessageFrame, OpenFrame, WireFrame } from '../../channel/frame.ts';
import type { BodyMemory } from '../../transports/http/http1/body-memory.ts';
import { mapHeaders, withHeaders } from '../../transports/http/http1/raw-headers.ts';
import type { ResponseHead } from '../../transports/http/http1/response-head.ts';
import type { CloseKind, RawHeaders } from '../../transports/http/proxy/http-traffic.ts';
import { nextHop } from '../../transports/http/upstream/next-hop.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import type { ResponseHandler } from '../../transports/http/upstream/upstream-connection.ts';
import { UpstreamPool } from '../../transports/http/upstream/upstream-pool.ts';
import { encodeHttp } from './frame-codec.ts';
import { PendingRequest } from './request-awaiting-connection.ts';
import { isEventStream, ResponseToFrames } from './response-to-frames.ts';

export interface ServerRequestOptions {
  upstream: Upstream;
  ca?: readonly string[];
  method: string;
  path: string;
  /** Request headers, before faults. */
  headers: RawHeaders;
  /** Returns the changed headers of a frame. Undefined: no header was changed. */
  changed(frame: MessageFrame | OpenFrame): Record<string, string> | undefined;
  /** Takes the head of the response. `data` and `end` follow. */
  head(head: ResponseHead): void;
  data(data: Buffer): void;
  end(): void;
  /** Called if the connection was lost before the response ended. */
  lost(how: CloseKind): void;
  /** Called if the connection fails, or if the response is not HTTP (`isGarbage`). */
  failed(error: Error, isGarbage: boolean): void;
  /** Takes the messages of the responses to repeated frames. Absent: they are dropped. */
  copyAnswered?: ((answer: MessageFrame) => void) | undefined;
  /** Memory of what is held of these responses. */
  memory: BodyMemory;
}

/**
 * Sender of one request's frames to the server. A repeated frame becomes a separate request, whose response does not reach the client.
 */
export class ServerRequest {
  readonly #options: ServerRequestOptions;
  readonly #connections: UpstreamPool;
  readonly #others = new Set<PendingRequest>();
  #asked: PendingRequest | undefined;
  #isOver = false;
  /** Announced body length, for faults that split the body. */
  #announced = 0;
  #written = 0;

  constructor(options: ServerRequestOptions) {
    this.#options = options;
    const { ca } = options;
    this.#connections = new UpstreamPool({ ...(ca && { ca }), closed: () => {} });
  }

  /** Whether the response has ended. Also true before any request was sent. */
  get isOver(): boolean {
    return this.#asked === undefined || this.#isOver;
  }

  takenApart(bytes: number): void {
    this.#announced += bytes;
  }

  take(frame: WireFrame): void {
    if (frame.kind === 'close') return this.#close(frame.how);
    if (frame.kind === 'bytes') return this.#bytes(frame.data);
    const data = encodeHttp(frame, false);
    const changed = frame.kind === 'message' || frame.kind === 'open' ? this.#options.changed(frame) : undefined;
    const asked = this.#asked ? this.#aside(data.length, changed) : this.#main(data.length, changed);
    asked.write(data);
    asked.end();
  }

  /** Pauses or resumes reading the response. */
  pause(is: boolean): void {
    this.#asked?.pause(is);
  }

  /** Closes all connections immediately. */
  drop(): void {
    this.#asked?.drop();
    for (const other of this.#others) other.drop();
    this.#others.clear();
    this.#over();
  }

  #bytes(data: Uint8Array): void {
    const asked = this.#asked ?? this.#main(this.#announced);
    this.#written += data.length;
    if (!asked.isSaid) asked.write(data);
  }

  #close(how: 'end' | 'fin' | 'rst' | undefined): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    const isWhole = asked.isSaid || this.#written >= this.#announced;
    if (!isWhole) return asked.lose(how === 'rst' ? 'rst' : 'fin');
    if (how !== 'fin' && how !== 'rst') return asked.end();
    asked.leave(how, () => this.#over());
  }

  #main(length: number, changed?: Record<string, string>): PendingRequest {
    const { head, data, end, lost, failed } = this.#options;
    const over = () => this.#over();
    this.#asked = this.#ask(length, changed, {
      ...NOBODY,
      head,
      data,
      end() {
        over();
        end();
      },
      invalid(error) {
        over();
        failed(error, true);
      },
      lost(how, unreachable) {
        over();
        if (unreachable) failed(unreachable, false);
        else lost(how);
      },
    });
    return this.#asked;
  }

  #aside(length: number, changed?: Record<string, string>): PendingRequest {
    let answer: ResponseToFrames | undefined;
    const over = () => {
      answer?.release();
      this.#others.delete(asked);
      this.#release();
    };
    const asked = this.#ask(length, changed, {
      ...NOBODY,
      head: (head) => {
        answer = this.#copyAnswer(head);
      },
      data: (data) => answer?.data(data),
      end() {
        answer?.end();
        over();
      },
      invalid: over,
      lost: over,
    });
    this.#others.add(asked);
    return asked;
  }

  #copyAnswer({ headers }: ResponseHead): ResponseToFrames | undefined {
    const { copyAnswered, memory } = this.#options;
    if (copyAnswered === undefined) return undefined;
    return new ResponseToFrames({
      isStream: isEventStream(headers),
      said: () => ({ at: 0, from: 'server', stream: 0 }),
      passesOver: () => false,
      push: (frame) => frame.kind === 'message' && copyAnswered(frame),
      rewrite: (uri) => uri,
      memory,
      tooLong: nothing,
    });
  }

  #over(): void {
    this.#isOver = true;
    this.#release();
  }

  /**
   * Closes the connections of this exchange. Exchanges share no connections, so a broken one affects no other exchange.
   */
  #release(): void {
    if (this.#isOver && this.#others.size === 0) this.#connections.destroy();
  }

  #ask(length: number, changed: Record<string, string> | undefined, asker: ResponseHandler): PendingRequest {
    const { upstream, method, path, headers } = this.#options;
    for (const [name, value] of Object.entries(changed ?? {})) validateHeaderValue(name, value);
    const hop = nextHop(upstream);
    const own = withHeaders(headers, { ...changed, ...hop.headers });
    const hasLength = /^P(?:OST|UT|ATCH)$/.test(method) || length > 0;
    const sent = mapHeaders(own, (name, value) => {
      if (name === 'content-length') return undefined;
      return name === 'accept-encoding' ? 'identity' : value;
    });
    if (hasLength) sent.push('Content-Length', String(length));
    sent.push('Connection', 'keep-alive');
    let head = `${method} ${hop.target(path)} HTTP/1.1\r\n`;
    for (let n = 0; n < sent.length; n += 2) head += `${sent[n]}: ${sent[n + 1]}\r\n`;
    return new PendingRequest({
      connections: this.#connections,
      upstream,
      method,
      head: `${head}\r\n`,
      asker,
    });
  }
}

const nothing = () => {};
/** Response handler that ignores everything. */
const NOBODY: ResponseHandler = {
  interim: nothing,
  head: nothing,
  data: nothing,
  settle: nothing,
  end: nothing,
  drain: nothing,
  invalid: nothing,
  lost: nothing,
};
