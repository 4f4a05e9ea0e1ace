import type { Frame, LineFrame, MessageFrame, ResponseFrame, Side, SseFields } from '../../channel/frame.ts';
import { lineToMessage } from '../../channel/line-to-message.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { type Id, isObject, isRequest, isResponse } from '../../protocol/message.ts';
import { codingOf, MAGIC_LENGTH } from '../../redact/decode/compressed-bytes.ts';
import type { BodyMemory, CutReason } from '../../transports/http/http1/body-memory.ts';
import { headerOf, isIdentity, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { CloseKind, HttpTrafficEvent, TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { SseDecoder, type SseEvent } from '../../transports/http/sse/sse-decoder.ts';
import { decodeBody } from './decode-body.ts';
import { RecordedBody, textOrBytes } from './recorded-body.ts';
import { requestHeaders, responseHeaders, schemeOf } from './recorded-headers.ts';
import type { RecordedPart } from './recorded-part.ts';
import { redactSseEndpointUri } from './redact-sse-endpoint-uri.ts';
import { type ReadRequest, readRequest, requestFrame } from './request-frame.ts';
import { isOrdinaryResponse, isPlainResponse, responseBodyFrame } from './response-body-frame.ts';
import type { SessionFacts } from './session-exchanges-writer.ts';
import { startsWithJsonRpcMethod } from './starts-with-json-rpc-method.ts';

/**
 * Converter of one exchange's traffic to frames. Omits usual details: POST, required headers, `200 application/json`,
 * `202` for messages without requests, the clean end after a response, and a priming event's empty data (2025-11-25).
 */
export class ExchangeToFrames {
  readonly #holdBytesMax: number;
  readonly #memory: BodyMemory;
  /** Parts to be returned. */
  #parts: RecordedPart[] = [];
  #facts: SessionFacts = { revisions: new Set(), isLegacySse: false };
  #request: TrafficEvent<'request'> | undefined;
  #response: TrafficEvent<'response'> | undefined;
  #asked: RecordedBody;
  #answered: RecordedBody;
  #events: SseDecoder | undefined;
  #read: ReadRequest | undefined;
  #saidAll = false;
  /** Ids of unanswered requests. */
  readonly #open = new Set<Id>();
  #asksForAnswer = false;
  /** Whether the cassette already shows that the response is an event stream. */
  #showsStream = false;
  #session: { session: 'new' } | undefined;

  /** Creates a converter. Bodies and events beyond `holdBytesMax` bytes, or beyond the memory of all, are cut. */
  constructor(holdBytesMax: number, memory: BodyMemory) {
    this.#holdBytesMax = holdBytesMax;
    this.#memory = memory;
    this.#asked = new RecordedBody(holdBytesMax, memory);
    this.#answered = new RecordedBody(holdBytesMax, memory);
  }

  /** Releases the memory of an exchange whose rest is not recorded. */
  release(): void {
    for (const held of [this.#asked, this.#answered, this.#events]) held?.release();
  }

  /** Records that the response issues a session id. */
  issue(): void {
    this.#session = { session: 'new' };
  }

  /**
   * Returns the client's message if `piece` completes the request; `message` is undefined for a body without one. Call
   * it before `take`, because the session of the exchange depends on the message.
   */
  requestRead(piece: HttpTrafficEvent): { message: unknown } | undefined {
    const isEnd = piece.kind === 'end' && piece.from === 'client';
    const isCut = piece.kind === 'response' || piece.kind === 'gone';
    if (this.#request === undefined || this.#read !== undefined || !(isEnd || isCut)) return undefined;
    this.#read = readRequest(this.#asked, piece.at, isCut);
    const { frame: said } = this.#read;
    return { message: said.kind === 'message' ? said.json.value : undefined };
  }

  /** Converts the next event. `facts` belong to the session of the exchange, if the session is known. */
  take(piece: HttpTrafficEvent, facts: SessionFacts): RecordedPart[] {
    this.#facts = facts;
    this.#take(piece);
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #take(piece: HttpTrafficEvent): void {
    switch (piece.kind) {
      case 'request':
        this.#request = piece;
        return;
      case 'response':
        // The server answered before the end of the request body: its beginning is recorded.
        this.#sayRequest();
        return this.#begin(piece);
      case 'data':
        if (piece.from === 'client') return this.#asked.add(piece.data);
        return this.#events ? this.#hear(piece) : this.#answered.add(piece.data);
      case 'end':
        return piece.from === 'client' ? this.#sayRequest() : this.#sayEnd(piece.at);
      case 'gone':
        return this.#sayLoss(piece);
    }
  }

  #emit(frame: Frame): void {
    this.#parts.push({ kind: 'frame', frame });
  }

  #sayRequest(): void {
    const [request, read] = [this.#request, this.#read];
    if (this.#saidAll || request === undefined || read === undefined) return;
    this.#saidAll = true;
    this.#sayCut('client', this.#asked.cutReason);
    const { frame: said, line } = read;
    const { method, headers: raw } = request;
    const { revisions, isLegacySse, scheme } = this.#facts;
    const message = said.kind === 'message' ? said.json.value : undefined;
    const headers = requestHeaders(raw, { method, message, revisions, isLegacySse, scheme });
    this.#facts.scheme = schemeOf(raw);
    const frame = requestFrame(request, read, headers);
    if (frame.kind !== 'open') this.#note(said);
    if (frame === said) this.#sayBodyLine('client', line, said.at, () => said);
    else this.#emit(frame);
  }

  #sayCut(from: Side, reason: CutReason | undefined): void {
    if (reason !== undefined) this.#parts.push({ kind: 'cut', from, reason });
  }

  #note(said: MessageFrame | LineFrame): void {
    for (const { value } of said.kind === 'message' ? elementsOf(said.json) : [])
      if (isRequest(value)) this.#open.add(value.id);
    this.#asksForAnswer = said.kind === 'line' || this.#open.size > 0;
  }

  #begin(response: TrafficEvent<'response'>): void {
    this.#response = response;
    const { status, headers } = response;
    const isStream = status === 200 && mediaType(headerOf(headers, 'content-type')) === EVENT_STREAM;
    if (!isStream || !isIdentity(headers)) return;
    const shown = responseHeaders(headers, EVENT_STREAM);
    if (shown) this.#showStream(response.at);
    this.#events = new SseDecoder({
      holdBytesMax: this.#holdBytesMax,
      memory: this.#memory,
      event: (event) => this.#sayEvent(event),
      plain: (piece, start, id) => this.#sayPlain(piece, start, id),
      comment: (text) => {
        this.#showsStream = true;
        this.#emit({ kind: 'comment', at: this.#now, from: 'server', text });
      },
    });
  }

  /** Time of the stream's current piece. Negative: no piece has come. */
  #now: Milliseconds = -1;

  #hear({ at, data }: TrafficEvent<'data'>): void {
    const isFirst = this.#now < 0;
    this.#now = at;
    // Compressed data without a header that says so: lines of it could not be decoded.
    if (isFirst && codingOf(data) !== undefined) this.#events = undefined;
    if (this.#events) this.#events.write(data);
    else this.#answered.add(data);
  }

  /**
   * Offers a server request or notification to the fast path. That is possible because the converter keeps no state for
   * them. Returns false for any other line.
   */
  #sayPlain(piece: Uint8Array, start: number, id: string | undefined): boolean {
    if (this.#session !== undefined || !startsWithJsonRpcMethod(piece, start)) return false;
    const at = this.#now;
    const sse = id === undefined ? {} : { id };
    const frame = () => {
      const data = textOrBytes(piece.subarray(start, piece.indexOf(LF, start)));
      return lineToMessage({ kind: 'line', at, from: 'server', on: 'protocol', data, sse });
    };
    this.#parts.push({ kind: 'line', from: 'server', at, bytes: piece, start, isBody: false, ...sse, frame });
    this.#showsStream = true;
    return true;
  }

  /** Adds a short body for the fast path, or a frame. */
  #sayBodyLine(from: Side, line: Buffer | undefined, at: Milliseconds, frame: () => Frame): void {
    if (line === undefined) this.#emit(frame());
    else this.#parts.push({ kind: 'line', from, at, bytes: line, start: 0, isBody: true, frame });
  }

  #sayEvent({ data, partial, isCut, event = '', ...others }: SseEvent): void {
    const at = this.#now;
    this.#showsStream = true;
    const sse: SseFields = event === '' || event === 'message' ? others : { ...others, event };
    this.#sayCut('server', isCut);
    const isMessage = sse.event === undefined && data !== undefined && data !== '';
    if (!isMessage && !partial && typeof data !== 'object') {
      const endpoint = sse.event === 'endpoint' ? data : undefined;
      const isPriming = data === '' && sse.id !== undefined && sse.event === undefined;
      const said = endpoint === undefined ? (isPriming ? undefined : data) : redactSseEndpointUri(endpoint);
      const fields = { ...sse, ...(said !== undefined && { data: said }) };
      const frame: Frame = { kind: 'sse', at, from: 'server', sse: fields };
      this.#parts.push({ kind: 'frame', frame, ...(endpoint !== undefined && { endpoint }) });
      return;
    }
    const line: LineFrame = { kind: 'line', at, from: 'server', on: 'protocol', data: data ?? '', sse };
    this.#sayAnswer(partial ? { ...line, partial } : lineToMessage(line));
  }

  #sayAnswer(said: MessageFrame | LineFrame | ResponseFrame): void {
    this.#emit(this.#session ? { ...said, ...this.#issued() } : said);
    if (said.kind !== 'message') return;
    for (const { value } of elementsOf(said.json)) {
      if (!isResponse(value)) continue;
      if (isObject(value.result) && typeof value.result.protocolVersion === 'string')
        this.#facts.revisions.add(value.result.protocolVersion);
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

  /** Decompresses what came of a response: secrets cannot be found in compressed data. Servers are asked not to compress. */
  #decode(at: Milliseconds): void {
    const response = this.#response;
    if (response === undefined || this.#answered.isEmpty) return;
    if (isIdentity(response.headers) && codingOf(this.#answered.beginning(MAGIC_LENGTH)) === undefined) return;
    const sent = Buffer.from(this.#answered.take());
    const { headers, data } = decodeBody(response.headers, sent, this.#holdBytesMax);
    this.#begin({ ...response, at, headers });
    if (data === undefined) this.#answered.drop();
    else this.#take({ kind: 'data', at, from: 'server', data });
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
    const { status, headers: raw } = this.#response!;
    const body = this.#answered;
    const { isEmpty } = body;
    const partial = isCut || body.isCut;
    this.#sayCut('server', body.cutReason);
    const line = partial || isEmpty ? undefined : body.line();
    if (this.#session === undefined && isPlainResponse(this.#response!, line))
      return this.#sayBodyLine('server', line, at, () => responseBodyFrame(this.#response!, body.take(), at));
    const data = body.take();
    if (
      !partial &&
      this.#isOrdinary(status, data) &&
      responseHeaders(raw, mediaType(headerOf(raw, 'content-type'))) === undefined
    )
      return;
    this.#sayAnswer(responseBodyFrame(this.#response!, data, at, partial));
  }

  #isOrdinary(status: number, data: string | Uint8Array): boolean {
    if (this.#session !== undefined) return false;
    const method = this.#request?.method;
    return isOrdinaryResponse({
      method,
      status,
      data,
      asksForAnswer: this.#asksForAnswer,
      isLegacySse: this.#facts.isLegacySse,
    });
  }

  #sayLoss({ at, from, how }: { at: Milliseconds; from: Side; how: CloseKind }): void {
    this.#sayRequest();
    this.#decode(at);
    this.#now = at;
    if (this.#events) {
      this.#events.end();
      if (this.#request?.method === 'POST') this.#showStream(at);
    } else if (this.#response && !this.#answered.isEmpty) this.#sayBody(at, true);
    else if (this.#response && this.#response.status >= 400) this.#sayBody(at);
    this.#emit({ kind: 'close', at, from, how });
  }
}

const LF = 0x0a;
const EVENT_STREAM = 'text/event-stream';
