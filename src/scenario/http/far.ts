import { type Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';
import type { MessageFrame, OpenFrame, WireFrame } from '../../channel/frame.ts';
import { agentFor } from '../../transports/http/agent.ts';
import { mapHeaders, withHeaders } from '../../transports/http/headers.ts';
import { type Hop, hopTo } from '../../transports/http/hop.ts';
import { loseAlike, lossOf, reset, watchLoss } from '../../transports/http/loss.ts';
import type { Loss, RawHeaders } from '../../transports/http/piece.ts';
import type { Upstream } from '../../transports/http/upstream.ts';
import { encodeHttp } from './frames.ts';

export interface FarOptions {
  upstream: Upstream;
  ca?: readonly string[];
  method: string;
  path: string;
  /** As they shall be sent, unless a fault has others. */
  headers: RawHeaders;
  /** The headers of a frame where they are not those that it came with. */
  changed(frame: MessageFrame | OpenFrame): Record<string, string> | undefined;
  answered(answer: IncomingMessage): void;
  /** The connection was lost, or never was. */
  lost(how: Loss | Error): void;
}

/** Says the frames of one request to the server. What is said again is a request of its own, whose answer is nobody's. */
export class Far {
  readonly #options: FarOptions;
  readonly #hop: Hop;
  readonly #agent: Agent;
  readonly #others = new Set<ClientRequest>();
  #request: ClientRequest | undefined;
  /** How long the body was announced to be, by whoever takes it apart. */
  #announced = 0;
  #written = 0;

  constructor(options: FarOptions) {
    this.#options = options;
    this.#hop = hopTo(options.upstream);
    this.#agent = agentFor(options.upstream, options.ca);
  }

  /** Nothing more comes of it, if anything did. */
  get isOver(): boolean {
    return this.#request === undefined || this.#request.destroyed;
  }

  takenApart(bytes: number): void {
    this.#announced += bytes;
  }

  take(frame: WireFrame): void {
    if (frame.kind === 'close') return this.#close(frame.how);
    if (frame.kind === 'bytes') return this.#bytes(frame.data);
    const data = encodeHttp(frame, false);
    const changed =
      frame.kind === 'message' || frame.kind === 'open' ? this.#options.changed(frame) : undefined;
    const asked = this.#ask(data.length, changed);
    asked.end(data);
    if (this.#request === undefined) this.#main(asked);
    else this.#aside(asked);
  }

  /** Closes what is open, without a word. */
  drop(): void {
    this.#request?.destroy();
    for (const other of this.#others) other.destroy();
  }

  #bytes(data: Uint8Array): void {
    if (this.#request === undefined) this.#main(this.#ask(this.#announced));
    this.#written += data.length;
    this.#request?.write(data);
  }

  #close(how: 'end' | 'fin' | 'rst' | undefined): void {
    const request = this.#request;
    if (request === undefined) return;
    const isWhole = request.writableEnded || this.#written >= this.#announced;
    if (!isWhole) return breakOff(request, how === 'rst' ? 'rst' : 'fin');
    if (how === 'rst' && request.socket) reset(request.socket);
    if (how === 'fin' || how === 'rst') request.destroy();
    else request.end();
  }

  #main(request: ClientRequest): void {
    const { answered, lost } = this.#options;
    this.#request = request;
    request.once('response', answered);
    let connected = false;
    request.once('socket', (socket) => {
      watchLoss(socket);
      connected = !socket.connecting;
      socket.once(this.#hop.isSecure ? 'secureConnect' : 'connect', () => {
        connected = true;
      });
    });
    request.once('close', () => this.#release());
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isGarbage = error.code?.startsWith('HPE_') === true;
      lost(connected && !isGarbage ? lossOf(request.socket) : error);
    });
  }

  #aside(request: ClientRequest): void {
    this.#others.add(request);
    request.once('response', (answer) => answer.resume());
    request
      .on('error', () => {})
      .once('close', () => {
        this.#others.delete(request);
        this.#release();
      });
  }

  /** Each exchange has connections of its own, so that what breaks one breaks no other. */
  #release(): void {
    if (this.#request?.destroyed !== false && this.#others.size === 0) this.#agent.destroy();
  }

  #ask(length: number, changed?: Record<string, string>): ClientRequest {
    const { method, path, headers } = this.#options;
    const own = withHeaders(headers, { ...changed, ...this.#hop.headers });
    const hasLength = /^P(?:OST|UT|ATCH)$/.test(method) || length > 0;
    const sent = mapHeaders(own, (name, value) => {
      if (name === 'content-length') return undefined;
      return name === 'accept-encoding' ? 'identity' : value;
    });
    if (hasLength) sent.push('Content-Length', String(length));
    return (this.#hop.isSecure ? requestSecure : requestPlain)({
      method,
      path: this.#hop.target(path),
      host: this.#hop.hostname,
      port: this.#hop.port,
      // Node's type knows flat lists only where they are received.
      headers: sent as unknown as Record<string, string>,
      setHost: false,
      agent: this.#agent,
    });
  }
}

/** Ends a request in its middle, once what there is of it has left. */
function breakOff(request: ClientRequest, how: Loss): void {
  const lose = (socket: Socket) => loseAlike(socket, how);
  if (request.socket?.connecting === false) lose(request.socket);
  else request.once('socket', (socket) => socket.once('connect', () => lose(socket)));
}
