import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Frame, Headers, OpenFrame, ReplyFrame, WireFrame } from '../../channel/frame.ts';
import type { Clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isObject } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { isModern } from '../../protocol/revision.ts';
import { endToEnd, headerOf, isIdentity, mapHeaders, mediaType } from '../../transports/http/headers.ts';
import { lossOf } from '../../transports/http/loss.ts';
import { type Names, towardsClient, towardsServer } from '../../transports/http/names.ts';
import type { Loss } from '../../transports/http/piece.ts';
import { badUpstream } from '../../transports/http/refuse.ts';
import type { Upstream } from '../../transports/http/upstream.ts';
import { Far } from './far.ts';
import { blockFrames, bodyFrame, type Said } from './frames.ts';
import { type Head, Near } from './near.ts';
import { SseBlocks } from './sse-blocks.ts';

export interface ExchangeOptions {
  request: IncomingMessage;
  response: ServerResponse;
  /** The body of the request, whole. */
  body: Uint8Array;
  /** Its number, from 1. */
  stream: number;
  /** What to ask the server for. */
  path: string;
  upstream: Upstream;
  names: Names;
  ca?: readonly string[];
  clock: Clock;
  /** Takes what either side said, as it was said. */
  push(frame: WireFrame): void;
  /** Told once, when nothing more comes of it. */
  done(): void;
  /** Told what cannot be passed on. */
  trouble(error: McpRecordError): void;
}

/** The longest body that is held whole. */
export const BODY_BYTES_MAX: number = 64 * 1024 * 1024;

/** One request and its answer, as frames of one stream: what either side says goes out, and what shall arrive comes in. */
export class FaultyExchange {
  readonly #options: ExchangeOptions;
  readonly #near: Near;
  readonly #far: Far;
  readonly #heads = new WeakMap<Frame, Head>();
  readonly #asked: Frame;
  #answer: IncomingMessage | undefined;
  /** How many want the answer read no further. */
  #pauses = 0;
  #isNearClosed = false;

  constructor(options: ExchangeOptions) {
    const { request, response, path, upstream, names, ca } = options;
    this.#options = options;
    this.#asked = askedBy(options);
    this.#near = new Near({
      response,
      isModern: isSelfDescribing(this.#asked),
      headOf: (frame) => this.#heads.get(frame),
      full: (is) => this.pause(is),
    });
    const headersOf = (frame: Frame) => ('headers' in frame ? frame.headers : undefined);
    this.#far = new Far({
      upstream,
      ...(ca && { ca }),
      method: request.method ?? '',
      path,
      headers: towardsServer(endToEnd(request.rawHeaders), names),
      changed: ({ headers }) => difference(headersOf(this.#asked), headers),
      answered: (answer) => this.#answered(answer),
      lost: (how) => this.#lost(how),
    });
    response.once('close', () => {
      if (!response.writableFinished && !this.#near.isOver)
        this.#push({ kind: 'close', how: lossOf(request.socket) }, 'client');
      this.#isNearClosed = true;
      this.#settle();
    });
  }

  /** Says what the client said. */
  begin(): void {
    this.#options.push(this.#asked);
    this.#push({ kind: 'close' }, 'client');
  }

  /** Takes what shall arrive. */
  take(frame: WireFrame): void {
    if (frame.from === 'server') {
      this.#near.take(frame);
      // A connection that breaks breaks as a whole; a stream that ends may be gone on with.
      if (frame.kind === 'close' && frame.how !== undefined) this.#far.drop();
      return;
    }
    this.#far.take(frame);
    // A client that is said to have left hears nothing more.
    if (frame.kind === 'close' && frame.how !== undefined && !this.#near.isOver) this.#near.take(frame);
  }

  /** A fault takes a frame of one side apart: so many bytes will come of it. */
  takenApart(frame: Frame, bytes: number): void {
    if (frame.from === 'server') this.#near.takenApart(bytes);
    else this.#far.takenApart(bytes);
  }

  /** Reads no further what the server says, until as many have called with false. */
  pause(paused: boolean): void {
    this.#pauses = Math.max(0, this.#pauses + (paused ? 1 : -1));
    if (this.#pauses > 0) this.#answer?.pause();
    else this.#answer?.resume();
  }

  /** Ends it on both sides. */
  drop(): void {
    this.#far.drop();
    if (!this.#near.isOver) this.#near.take({ ...this.#said('server'), kind: 'close', how: 'fin' });
  }

  #said<Side extends 'client' | 'server'>(from: Side): Said & { from: Side } {
    return { at: this.#options.clock.now(), from, stream: this.#options.stream };
  }

  #push(frame: { kind: 'close'; how?: Loss }, from: 'client' | 'server'): void {
    this.#options.push({ ...this.#said(from), ...frame });
  }

  #answered(answer: IncomingMessage): void {
    const { upstream, request, push } = this.#options;
    const { statusCode: status = 502, statusMessage: reason = '', rawHeaders } = answer;
    const isStream =
      mediaType(headerOf(rawHeaders, 'content-type')) === 'text/event-stream' && isIdentity(rawHeaders);
    const { host = '' } = request.headers;
    const headers = mapHeaders(endToEnd(rawHeaders), (name, value) =>
      name === 'location' ? towardsClient(value, upstream, host) : value,
    );
    const reply: ReplyFrame = {
      ...this.#said('server'),
      kind: 'reply',
      from: 'server',
      status: isStream ? 'sse' : status,
    };
    this.#heads.set(reply, { status, reason, headers });
    this.#answer = answer;
    answer.on('error', () => {});
    push(reply);
    const rest = isStream ? this.#readEvents(answer) : this.#readBody(answer);
    if (this.#pauses > 0) answer.pause();
    answer.once('end', () => {
      if (!answer.complete) return;
      rest();
      this.#push({ kind: 'close' }, 'server');
    });
    answer.once('close', () => {
      if (answer.complete) return;
      rest();
      this.#push({ kind: 'close', how: lossOf(answer.socket) }, 'server');
    });
    answer.once('close', () => this.#settle());
  }

  /** Gives what to do when it has ended. */
  #readEvents(answer: IncomingMessage): () => void {
    const { push, request, upstream } = this.#options;
    const { host = '' } = request.headers;
    const bytes = (data: Uint8Array) =>
      push({ ...this.#said('server'), kind: 'bytes', on: 'protocol', data });
    const frameOf = blockFrames();
    const blocks = new SseBlocks((block) => {
      const frame = frameOf(block, this.#said('server'));
      if (frame === undefined) return bytes(block);
      push(frame.kind === 'event' ? towards(frame, (uri) => towardsClient(uri, upstream, host)) : frame);
    });
    answer.on('data', (data: Buffer) => blocks.write(data));
    return () => {
      const rest = blocks.rest();
      if (rest.length > 0) bytes(rest);
    };
  }

  #readBody(answer: IncomingMessage): () => void {
    const { push, trouble } = this.#options;
    const pieces: Buffer[] = [];
    let length = 0;
    answer.on('data', (data: Buffer) => {
      pieces.push(data);
      length += data.length;
      if (length <= BODY_BYTES_MAX) return;
      trouble(tooLong('an answer'));
      answer.destroy();
    });
    return () => {
      const frame = bodyFrame(Buffer.concat(pieces), this.#said('server'));
      if (frame) push(frame);
    };
  }

  #settle(): void {
    if (this.#isNearClosed && this.#far.isOver) this.#options.done();
  }

  #lost(how: Loss | Error): void {
    if (this.#near.isOver) return this.#settle();
    if (typeof how === 'string') return this.#push({ kind: 'close', how }, 'server');
    const { upstream, trouble } = this.#options;
    const error = badUpstream(
      upstream,
      how,
      (how as NodeJS.ErrnoException).code?.startsWith('HPE_') === true,
    );
    trouble(error);
    const body = `mcp-record: ${error.message}\n`;
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    this.#near.take({ ...this.#said('server'), kind: 'reply', from: 'server', status: 502, headers, body });
    this.#near.take({ ...this.#said('server'), kind: 'close' });
  }
}

function askedBy({ request, body, stream, clock }: ExchangeOptions): Frame {
  const said = { at: clock.now(), from: 'client', stream } as const;
  const headers: Headers = Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  const resumes = headers['last-event-id'];
  const frame = request.method === 'POST' ? bodyFrame(body, said) : undefined;
  if (frame?.kind === 'message') return { ...frame, headers };
  const open: OpenFrame = { ...said, kind: 'open', method: request.method ?? '', headers };
  return { ...open, ...(resumes !== undefined && { resumes }), ...(body.length > 0 && { body }) };
}

/** The fields that are not what they were; those that are gone stay. */
function difference(before: Headers = {}, after: Headers = {}): Headers {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}

/** 2026-07-28: every request says its revision. */
function isSelfDescribing(frame: Frame): boolean {
  const message = frame.kind === 'message' ? frame.json.value : undefined;
  const version = isObject(message) ? metaOf(message.params)[META.protocolVersion] : undefined;
  return typeof version === 'string' && isModern(version);
}

/** 2024-11-05, HTTP with SSE: the client must be told our endpoint. Another event stays the frame that it is. */
function towards(frame: Frame, rewrite: (uri: string) => string): Frame {
  if (frame.kind !== 'event' || frame.sse.event !== 'endpoint') return frame;
  const { data = '' } = frame.sse;
  const uri = rewrite(data);
  return uri === data ? frame : { ...frame, sse: { ...frame.sse, data: uri } };
}

/** Why a body is not passed on. */
export function tooLong(what: string): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_BODY_TOO_LONG',
    what: `Cannot hold ${what} whole`,
    why: `it is longer than ${BODY_BYTES_MAX} bytes`,
    next: 'Leave the faults out for such messages: without them nothing is held.',
  });
}
