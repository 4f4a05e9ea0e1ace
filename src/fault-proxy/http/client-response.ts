import type { ServerResponse } from 'node:http';
import type { BytesFrame, Frame, MessageFrame, ResponseFrame, WireFrame } from '../../channel/frame.ts';
import { onNextTick } from '../../kernel/platform/next-tick.ts';
import { errorOf, isResponse } from '../../protocol/message.ts';
import { mirrorClose } from '../../transports/http/http1/mirror-close.ts';
import { mapHeaders, withHeaders } from '../../transports/http/http1/raw-headers.ts';
import { writeSeparateChunk } from '../../transports/http/http1/write-separate-chunk.ts';
import type { RawHeaders } from '../../transports/http/proxy/http-traffic.ts';
import { encodeChunks } from './encode-chunks.ts';
import { encodeHttp, isUntouched } from './frame-codec.ts';

/** Head of a response to send. */
export interface Head {
  status: number;
  reason?: string;
  headers: RawHeaders;
}

export interface ClientResponseOptions {
  response: ServerResponse;
  /** Whether the request is self-describing (since 2026-07-28). Some errors then have a specified HTTP status. */
  isModern: boolean;
  /** Returns the received head of a frame. Undefined: a fault created the frame. */
  headOf(frame: ResponseFrame): Head | undefined;
  /** Called with true when the client reads too slowly, and with false when it has caught up. */
  full(is: boolean): void;
}

/** Writer of one response's frames: a body, an event stream, or an early end. */
export class ClientResponse {
  readonly #options: ClientResponseOptions;
  /** Frames of the body, until it is complete. */
  #pending: WireFrame[] = [];
  #head: Head | undefined;
  #isStream = false;
  /** Announced body length, for faults that split the body. */
  #announced = 0;
  #written = 0;
  #isOver = false;
  #isLost = false;
  #isFull = false;
  /** Events to send at the end of this tick. */
  #events: Uint8Array[] = [];

  constructor(options: ClientResponseOptions) {
    this.#options = options;
    options.response.sendDate = false;
    options.response.on('drain', () => this.#drained());
  }

  /** Whether the response has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the response is an open event stream. */
  get isStreaming(): boolean {
    return this.#isStream && !this.#isOver;
  }

  /** Announces that the server lost its connection within the response: what it has sent is delivered before the close. */
  lost(): void {
    this.#isLost = true;
  }

  /** Forwards an event of the stream unchanged. */
  pass(event: Uint8Array): void {
    this.#write(event);
  }

  /** Announces bytes that a fault will send separately. The head counts them in the body length. */
  takenApart(bytes: number): void {
    this.#announced += bytes;
  }

  take(frame: WireFrame): void {
    const { response } = this.#options;
    // A fault may close the connection after a complete response.
    if (this.#isOver) return void (frame.kind === 'close' && frame.how === 'fin' && response.socket?.end());
    switch (frame.kind) {
      case 'http-response':
        return this.#reply(frame);
      case 'close':
        return this.#close(frame.how);
      case 'bytes':
        return frame.bare ? this.#bare(frame.data) : this.#bytes(frame);
      case 'message':
      case 'line':
      case 'sse':
      case 'comment':
        return this.#say(frame);
    }
  }

  #reply(frame: ResponseFrame): void {
    const { response, headOf } = this.#options;
    if (response.headersSent) return;
    const isStream = frame.status === 'sse';
    const made = [...Object.entries(frame.headers ?? {}).flat(), 'content-length', '0'];
    const status = frame.status === 'sse' ? 200 : frame.status;
    this.#head = headOf(frame) ?? { status, headers: isStream ? [...EVENTS] : made };
    this.#pending = [];
    const { at, from, body } = frame;
    if (body !== undefined) this.#bytes({ kind: 'bytes', at, from, on: 'protocol', data: Buffer.from(body) });
    if (isStream) this.#begin();
  }

  /** Starts the event stream. Its events are sent as they arrive, without an announced length. */
  #begin(): void {
    const { response } = this.#options;
    this.#isStream = true;
    this.#writeHead();
    response.flushHeaders();
    for (const frame of this.#pending.splice(0)) this.#write(encodeHttp(frame, true));
  }

  #say(frame: Frame): void {
    if (this.#isStream) return this.#write(encodeHttp(frame, true));
    const isEvent = frame.kind === 'sse' || frame.kind === 'comment';
    const isSecond = frame.kind === 'message' && this.#pending.some(({ kind }) => kind === 'message');
    if (frame.kind === 'message') this.#adopt(frame);
    this.#pending.push(frame);
    // More than one message needs an event stream.
    if (isEvent || isSecond) {
      const { headers = [] } = this.#head ?? {};
      this.#head = { status: 200, headers: withHeaders(without(headers, 'content-length'), TYPE_OF_EVENTS) };
      this.#begin();
    }
  }

  /** Takes over the head of a message that a fault changed. */
  #adopt(frame: MessageFrame): void {
    if (this.#head === undefined || isUntouched(frame)) return;
    const { status, headers, ...head } = this.#head;
    const own = this.#statusOf(frame);
    if (own !== 200) this.#head = { status: own, headers: withHeaders(headers, frame.headers ?? {}) };
    else this.#head = { ...head, status, headers: withHeaders(headers, frame.headers ?? {}) };
  }

  #bytes(frame: BytesFrame): void {
    const { response } = this.#options;
    if (!this.#isStream && !response.headersSent) {
      if (this.#announced === 0) return void this.#pending.push(frame);
      const before = this.#pending.map((frame) => encodeHttp(frame, false));
      this.#writeHead(this.#announced + before.reduce((sum, { length }) => sum + length, 0));
      response.flushHeaders();
      this.#pending = [];
      for (const one of before) this.#write(one);
    }
    this.#write(frame.data);
  }

  #bare(data: Uint8Array): void {
    this.#flush();
    const { socket } = this.#options.response;
    while (socket && socket.writableCorked > 0) socket.uncork();
    socket?.write(data);
  }

  #close(how: 'end' | 'fin' | 'rst' | undefined): void {
    const { response } = this.#options;
    this.#flush();
    this.#isOver = true;
    if (how === 'fin' || how === 'rst') {
      if (this.#isLost && this.#head && !response.headersSent) this.#sendPart();
      if (response.socket) mirrorClose(response.socket, how);
      return;
    }
    if (!response.headersSent) {
      const body = Buffer.concat(this.#pending.map((frame) => encodeHttp(frame, false)));
      this.#writeHead(body.length);
      if (body.length > 0) writeSeparateChunk(response, body);
    } else if (!this.#isStream && this.#written < this.#announced) {
      // A body shorter than announced ends with its connection.
      if (response.socket) mirrorClose(response.socket, 'fin');
      return;
    }
    response.end();
  }

  /** Sends the received head, with the length that it announces, and the part of the body that has arrived. */
  #sendPart(): void {
    this.#writeHead();
    this.#options.response.flushHeaders();
    for (const frame of this.#pending) this.#write(encodeHttp(frame, false));
  }

  #write(data: Uint8Array): void {
    if (data.length === 0) return;
    this.#written += data.length;
    if (!this.#isStream) return this.#wrote(writeSeparateChunk(this.#options.response, data));
    if (this.#events.push(data) === 1) onNextTick(() => this.#flush());
  }

  /** Sends the events of this tick: a chunk each, in one write. */
  #flush(): void {
    const events = this.#events;
    if (events.length === 0) return;
    this.#events = [];
    const { response } = this.#options;
    const { socket } = response;
    if (socket && response.chunkedEncoding) {
      const takesMore = socket.write(encodeChunks(events));
      if (!takesMore) socket.once('drain', () => this.#drained());
      this.#wrote(takesMore);
    } else for (const one of events) this.#wrote(writeSeparateChunk(response, one));
  }

  #wrote(takesMore: boolean): void {
    if (takesMore || this.#isFull) return;
    this.#isFull = true;
    this.#options.full(true);
  }

  #drained(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#options.full(false);
  }

  #writeHead(length?: number): void {
    const { response } = this.#options;
    const { status, reason, headers } = this.#headOrOwn();
    const framed = mapHeaders(headers, (name, value) =>
      name === 'content-length' && length !== undefined ? String(length) : value,
    );
    if (reason === undefined) response.writeHead(status, framed);
    else response.writeHead(status, reason, framed);
  }

  /** Returns the received head, or creates one. */
  #headOrOwn(): Head {
    if (this.#head) return this.#head;
    const message = this.#pending.find(({ kind }) => kind === 'message');
    const status = message ? this.#statusOf(message) : 200;
    return { status, headers: ['content-type', 'application/json', 'content-length', '0'] };
  }

  /** Returns the HTTP status of a JSON-RPC error (2026-07-28, "Error Handling"). */
  #statusOf(frame: WireFrame): number {
    if (frame.kind !== 'message' || !this.#options.isModern || !isResponse(frame.json.value)) return 200;
    return STATUS_OF[Number(errorOf(frame.json.value)?.code)] ?? 200;
  }
}

const TYPE_OF_EVENTS = { 'content-type': 'text/event-stream' };
const EVENTS = ['content-type', 'text/event-stream', 'cache-control', 'no-cache'];

/** HTTP statuses of MethodNotFound, HeaderMismatch, MissingRequiredClientCapability and UnsupportedProtocolVersion. */
const STATUS_OF: Readonly<Record<number, number>> = {
  [-32601]: 404,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

function without(headers: RawHeaders, unwanted: string): string[] {
  return mapHeaders(headers, (name, value) => (name === unwanted ? undefined : value));
}
