import { classifyLine } from '../../channel/classify-line.ts';
import type { Frame, LineFrame, MessageFrame, Side, SseFields } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { type Id, isObject, isRequest, isResponse } from '../../protocol/message.ts';
import { headerOf, isIdentity, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { CloseKind, HttpTrafficEvent, TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { SseDecoder, type SseEvent } from '../../transports/http/sse/sse-decoder.ts';
import { decodeBody } from './decode-body.ts';
import { withoutSession } from './endpoint-uri.ts';
import { RecordedBody } from './recorded-body.ts';
import { requestHeaders, responseHeaders, schemeOf } from './recorded-headers.ts';
import { saysMethod } from './says-method.ts';
import type { SessionFacts } from './session-recording.ts';

export interface ExchangeToFramesOptions {
  facts(): SessionFacts;
  /** Told what the client says, before its headers are compared; undefined if that is no message. */
  asks(message: unknown): void;
  /** Told where the client shall post (2024-11-05), before the frame that says so, which hides the session. */
  endpoint(uri: string): void;
  /** Takes the next frame. It has no stream yet. */
  frame(frame: Frame): void;
  /** Offered first what the server says in an event of its own, where that is the line of `bytes` from `start`. Gives whether it took it. */
  plain?(bytes: Uint8Array, start: number, at: Milliseconds): boolean;
  /** Offered first a body that is shown as nothing but a message, as a line that a newline ends. Gives whether it took it. */
  plainBody?(from: Side, line: Uint8Array, at: Milliseconds): boolean;
  /** Bodies and events beyond this many bytes are cut. */
  holdBytesMax: number;
  /** Told of a body that is cut. */
  cut(from: Side): void;
}

/**
 * Tells one exchange as frames, leaving out what is ordinary: POST, the headers that its revision demands, `200
 * application/json`, `202` to what asks for no answer, the server's clean end after the answer, and the empty data of a
 * priming event (2025-11-25), which is an id and perhaps a time to retry.
 */
export class ExchangeToFrames {
  readonly #options: ExchangeToFramesOptions;
  #request: TrafficEvent<'request'> | undefined;
  #response: TrafficEvent<'response'> | undefined;
  #asked: RecordedBody;
  #answered: RecordedBody;
  #events: SseDecoder | undefined;
  #saidAll = false;
  /** Requests without their answer yet. */
  readonly #open = new Set<Id>();
  #asksForAnswer = false;
  /** Whether the cassette shows already that the answer is an event stream. */
  #showsStream = false;
  #session: { session: 'new' } | undefined;

  constructor(options: ExchangeToFramesOptions) {
    this.#options = options;
    this.#asked = new RecordedBody(options.holdBytesMax);
    this.#answered = new RecordedBody(options.holdBytesMax);
  }

  /** The answer issues a session id. */
  issue(): void {
    this.#session = { session: 'new' };
  }

  take(piece: HttpTrafficEvent): void {
    switch (piece.kind) {
      case 'request':
        this.#request = piece;
        return;
      case 'response':
        // The server answered before the request body ended: it answers the part that has passed.
        this.#sayRequest(piece.at, true);
        return this.#begin(piece);
      case 'data':
        if (piece.from === 'client') return this.#asked.add(piece.data);
        return this.#events ? this.#hear(piece) : this.#answered.add(piece.data);
      case 'end':
        return piece.from === 'client' ? this.#sayRequest(piece.at) : this.#sayEnd(piece.at);
      case 'gone':
        return this.#sayLoss(piece);
    }
  }

  #emit(frame: Frame): void {
    this.#options.frame(frame);
  }

  #sayRequest(at: Milliseconds, isCut = false): void {
    const request = this.#request;
    if (this.#saidAll || request === undefined) return;
    this.#saidAll = true;
    const asked = this.#asked;
    const isEmpty = asked.isEmpty;
    const partial = isCut || asked.isCut;
    if (asked.isCut) this.#options.cut('client');
    const whole = asked.line();
    const data = asked.take();
    const line: LineFrame = { kind: 'line', at, from: 'client', on: 'protocol', data };
    const said = partial ? line : classifyLine(line);
    const message = said.kind === 'message' ? said.json.value : undefined;
    const { method, headers: raw } = request;
    this.#options.asks(message);
    const facts = this.#options.facts();
    const { revisions, isLegacySse, scheme } = facts;
    const headers = requestHeaders(raw, { method, message, revisions, isLegacySse, scheme });
    facts.scheme = schemeOf(raw);
    const beside = headers && { headers };
    if (method === 'POST' && !isEmpty) {
      this.#note(said);
      if (!partial && headers === undefined)
        return this.#saysPlainly('client', whole, at) ? undefined : this.#emit(said);
      return this.#emit({ ...said, ...(partial && { partial }), ...beside } as Frame);
    }
    const resumes = headerOf(raw, 'last-event-id');
    const open = { kind: 'open', at, from: 'client', method } as const;
    this.#emit({
      ...open,
      ...(resumes !== undefined && { resumes }),
      ...beside,
      ...(!isEmpty && { body: data }),
    });
  }

  #note(said: MessageFrame | LineFrame): void {
    this.#asksForAnswer = said.kind === 'line';
    if (said.kind === 'line') return;
    for (const { value } of elementsOf(said.json)) {
      if (isRequest(value)) this.#open.add(value.id);
    }
    this.#asksForAnswer = this.#open.size > 0;
  }

  #begin(response: TrafficEvent<'response'>): void {
    this.#response = response;
    const { status, headers } = response;
    const isStream = status === 200 && mediaType(headerOf(headers, 'content-type')) === EVENT_STREAM;
    if (!isStream || !isIdentity(headers)) return;
    const shown = responseHeaders(headers, EVENT_STREAM);
    if (shown) this.#showStream(response.at);
    this.#events = new SseDecoder({
      holdBytesMax: this.#options.holdBytesMax,
      event: (event) => this.#sayEvent(event),
      plain: (piece, start) => this.#sayPlain(piece, start),
      comment: (text) => {
        this.#showsStream = true;
        this.#emit({ kind: 'comment', at: this.#now, from: 'server', text });
      },
    });
  }

  /** When the piece of the stream passed that is being read. */
  #now: Milliseconds = 0;

  #hear({ at, data }: TrafficEvent<'data'>): void {
    this.#now = at;
    this.#events?.write(data);
  }

  /** Of what asks or notifies nothing is kept in mind: it can go by the short way. */
  #sayPlain(piece: Uint8Array, start: number): boolean {
    const { plain } = this.#options;
    if (plain === undefined || this.#session !== undefined || !saysMethod(piece, start)) return false;
    if (!plain(piece, start, this.#now)) return false;
    this.#showsStream = true;
    return true;
  }

  #saysPlainly(from: Side, line: Uint8Array | undefined, at: Milliseconds): boolean {
    return line !== undefined && this.#options.plainBody?.(from, line, at) === true;
  }

  /** Of an answer that tells no revision nothing is kept in mind either. */
  #saysPlainAnswer(at: Milliseconds): boolean {
    const { status, headers } = this.#response!;
    if (status !== 200 || this.#session || responseHeaders(headers, 'application/json')) return false;
    const line = this.#answered.line();
    return !line?.includes(REVISION) && this.#saysPlainly('server', line, at);
  }

  #sayEvent({ data, partial, isCut, event = '', ...fields }: SseEvent): void {
    const at = this.#now;
    this.#showsStream = true;
    const sse: SseFields = event === '' || event === 'message' ? fields : { ...fields, event };
    if (isCut) this.#options.cut('server');
    const isMessage = sse.event === undefined && data !== undefined && data !== '';
    if (!isMessage && !partial && typeof data !== 'object') {
      const endpoint = sse.event === 'endpoint' ? data : undefined;
      if (endpoint !== undefined) this.#options.endpoint(endpoint);
      const isPriming = data === '' && sse.id !== undefined && sse.event === undefined;
      const said = endpoint === undefined ? (isPriming ? undefined : data) : withoutSession(endpoint);
      return this.#emit({
        kind: 'sse',
        at,
        from: 'server',
        sse: { ...sse, ...(said !== undefined && { data: said }) },
      });
    }
    const line: LineFrame = { kind: 'line', at, from: 'server', on: 'protocol', data: data ?? '', sse };
    this.#sayAnswer(partial ? { ...line, partial } : classifyLine(line));
  }

  #sayAnswer(said: MessageFrame | LineFrame): void {
    this.#emit(this.#session ? { ...said, ...this.#issued() } : said);
    if (said.kind === 'line') return;
    for (const { value } of elementsOf(said.json)) {
      if (!isResponse(value)) continue;
      if (isObject(value.result) && typeof value.result.protocolVersion === 'string')
        this.#options.facts().revisions.add(value.result.protocolVersion);
      if (value.id !== undefined && value.id !== null) this.#open.delete(value.id);
    }
  }

  #issued(): { session?: 'new' } {
    const issued = this.#session ?? {};
    this.#session = undefined;
    return issued;
  }

  #showStream(at: Milliseconds): void {
    if (this.#showsStream) return;
    this.#showsStream = true;
    const headers = responseHeaders(this.#response?.headers ?? [], EVENT_STREAM);
    const reply = { kind: 'http-response', at, from: 'server', status: 'sse' } as const;
    this.#emit({ ...reply, ...(headers && { headers }), ...this.#issued() });
  }

  /** Reads a response that the server has compressed although it was asked not to: secrets in it could not be found. */
  #decode(at: Milliseconds): void {
    const response = this.#response!;
    if (isIdentity(response.headers) || this.#answered.isCut) return;
    const sent = Buffer.from(this.#answered.take());
    const { headers, data } = decodeBody(response.headers, sent, this.#options.holdBytesMax);
    this.#begin({ ...response, at, headers });
    if (data === undefined) this.#answered.drop();
    else this.take({ kind: 'data', at, from: 'server', data });
  }

  #sayEnd(at: Milliseconds): void {
    this.#decode(at);
    if (this.#events === undefined) return this.#sayBody(at);
    this.#now = at;
    this.#events.end();
    if (this.#request?.method === 'POST') this.#showStream(at);
    const isOrdinary = this.#request?.method === 'POST' && this.#asksForAnswer && this.#open.size === 0;
    if (!isOrdinary) this.#emit({ kind: 'close', at, from: 'server' });
  }

  #sayBody(at: Milliseconds, isCut = false): void {
    if (!isCut && this.#saysPlainAnswer(at)) return;
    const { status, headers: raw } = this.#response!;
    const body = this.#answered;
    const isEmpty = body.isEmpty;
    const partial = isCut || body.isCut;
    if (body.isCut) this.#options.cut('server');
    const data = body.take();
    if (
      !partial &&
      this.#isOrdinaryReply(status, data) &&
      responseHeaders(raw, mediaType(headerOf(raw, 'content-type'))) === undefined
    )
      return;
    const line: LineFrame = { kind: 'line', at, from: 'server', on: 'protocol', data };
    const said = partial ? { ...line, partial } : isIdentity(raw) ? classifyLine(line) : line;
    const ok = status === 200;
    if (said.kind === 'message' || partial) {
      const headers = responseHeaders(raw, 'application/json');
      if (ok && headers === undefined) return this.#sayAnswer(said);
      return this.#sayAnswer({ ...said, ...(!ok && { status }), ...(headers && { headers }) });
    }
    const headers = responseHeaders(raw, isEmpty ? mediaType(headerOf(raw, 'content-type')) : undefined);
    const reply = { kind: 'http-response', at, from: 'server', status } as const;
    this.#emit({ ...reply, ...(headers && { headers }), ...(!isEmpty && { body: data }), ...this.#issued() });
  }

  /**
   * Returns whether the status is the usual one: 202 for notifications and responses, 202 with a text for any POST of
   * HTTP with SSE, 200 for DELETE.
   */
  #isOrdinaryReply(status: number, data: string | Uint8Array): boolean {
    if (this.#session !== undefined) return false;
    if (this.#request?.method === 'DELETE') return status === 200 && data === '';
    if (status !== 202 || this.#request?.method !== 'POST') return false;
    return this.#options.facts().isLegacySse ? data === '' || data === 'Accepted' : data === '' && !this.#asksForAnswer;
  }

  #sayLoss({ at, from, how }: { at: Milliseconds; from: Side; how: CloseKind }): void {
    this.#sayRequest(at, true);
    this.#now = at;
    if (this.#events) {
      this.#events.end();
      if (this.#request?.method === 'POST') this.#showStream(at);
    } else if (this.#response && !this.#answered.isEmpty) this.#sayBody(at, true);
    this.#emit({ kind: 'close', at, from, how });
  }
}

/** What stands in an answer that tells the revision. */
const REVISION = 'protocolVersion';

const EVENT_STREAM = 'text/event-stream';
