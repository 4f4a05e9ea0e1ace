import type { Frame, LineFrame, Side } from '../../channel/frame.ts';
import { claimedRevision } from '../../protocol/claimed-revision.ts';
import { isObject, isResponse } from '../../protocol/message.ts';
import { isModern } from '../../protocol/revisions.ts';
import type { BodyMemory, BodyShare } from '../../transports/http/http1/body-memory.ts';
import { headerOf } from '../../transports/http/http1/raw-headers.ts';
import type { HttpTrafficEvent, TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import type { FastMessageWriter } from '../writer/fast-message-writer.ts';
import { ExchangeToFrames } from './exchange-to-frames.ts';
import { textOrBytes } from './recorded-body.ts';
import type { RecordedPart } from './recorded-part.ts';
import type { HttpRecorderOptions, RecordedSessions } from './recorded-sessions.ts';
import type { SessionExchangesWriter, SessionFacts } from './session-exchanges-writer.ts';

const SESSION_ID = 'mcp-session-id';

/**
 * Recorder of one exchange. It finds the session of the exchange, and writes the frames to that session's cassette.
 * Until the session is known, frames wait.
 */
export class ExchangeRecorder {
  readonly #sessions: RecordedSessions;
  readonly #frames: ExchangeToFrames;
  /** Upstream server. Requests to paths other than its endpoint are not MCP. */
  readonly #upstream: Upstream;
  readonly #cut: HttpRecorderOptions['cut'];
  #request: TrafficEvent<'request'> | undefined;
  /** Session id that the client's request names. */
  #askedSession: string | undefined;
  #status = 0;
  #isOther = false;
  /** Whether the latest data of the server was sent in its place. */
  #isOptional = false;
  #session: SessionExchangesWriter | undefined;
  /** Key of the session. Absent: the session is the run. */
  #key: string | undefined;
  #stream = 0;
  #waiting: Frame[] = [];
  readonly #waitingShare: BodyShare;
  #plain: FastMessageWriter | undefined;
  /** Facts of a session that this exchange starts, or of the run. */
  #facts: SessionFacts = { revisions: new Set(), isLegacySse: false };
  /** Facts about the client's message, if the body is a single request. */
  #asked: Asked = {};

  constructor(sessions: RecordedSessions, options: HttpRecorderOptions & { memory: BodyMemory }) {
    const { upstream, holdBytesMax, cut, memory } = options;
    this.#sessions = sessions;
    this.#upstream = upstream;
    this.#cut = cut;
    this.#frames = new ExchangeToFrames(holdBytesMax, memory);
    this.#waitingShare = memory.share(() => {
      for (const frame of this.#waiting) cut(frame.from === 'client' ? 'client' : 'server', 'together');
      this.#waiting = this.#waiting.map(firstHalf);
      return bodyBytes(this.#waiting);
    });
  }

  take(piece: HttpTrafficEvent): void {
    if (piece.kind === 'request') this.#open(piece);
    if (this.#isOther) return;
    if (piece.kind === 'note') return this.#take(noteFrame(piece));
    if (piece.kind === 'data' && piece.from === 'server') this.#isOptional = piece.optional === true;
    if (piece.kind === 'response') {
      this.#answer(piece);
      this.#forgetEnded();
    }
    const read = this.#frames.requestRead(piece);
    if (read !== undefined) {
      this.#asked = askedIn(read.message);
      if (!this.#mayBegin) this.#facts = this.#sessions.runFacts;
    }
    for (const part of this.#frames.take(piece, this.#session?.facts ?? this.#facts)) this.#record(part);
    if (piece.kind === 'gone' || (piece.kind === 'end' && piece.from === 'server')) this.#close();
  }

  /** Writes what waits for the session of a stream whose response has begun. Call it before the recorder ends. */
  stop(): void {
    if (this.#session === undefined && this.#status === 200 && this.#waiting.length > 0) this.#joinRun();
  }

  /** Releases the memory of an exchange whose rest is not recorded. */
  release(): void {
    this.#frames.release();
    this.#waiting = [];
    this.#waitingShare.hold(0);
  }

  #record(part: RecordedPart): void {
    if (part.kind === 'cut') return this.#cut(part.from, part.reason);
    if (part.kind === 'line') return this.#takeFast(part) ? undefined : this.#takeServed(part.frame());
    if (part.endpoint !== undefined) this.#beginLegacy(part.endpoint);
    this.#takeServed(part.frame);
  }

  #open(request: TrafficEvent<'request'>): void {
    this.#request = request;
    const { path } = request;
    this.#askedSession = headerOf(request.headers, SESSION_ID);
    const key = this.#sessions.find(path) ? path : this.#askedSession;
    const session = this.#sessions.find(key);
    // OPTIONS belongs to HTTP: browsers send it as a preflight request.
    this.#isOther =
      request.method === 'OPTIONS' || (session === undefined && path.split('?', 1)[0] !== this.#upstream.path);
    if (session !== undefined && !this.#isOther) this.#join(session, key);
  }

  /** Finds the session by the session id in the response head. */
  #answer({ status, headers }: TrafficEvent<'response'>): void {
    this.#status = status;
    const issued = headerOf(headers, SESSION_ID);
    const asked = this.#askedSession;
    if (this.#session !== undefined) return;
    if (issued !== undefined && asked === undefined) {
      this.#frames.issue();
      this.#join(this.#sessions.find(issued) ?? this.#sessions.begin(issued, this.#facts), issued);
    } else if (asked !== undefined && status < 400) {
      // The session started before this recorder, or was idle.
      this.#join(this.#sessions.find(asked) ?? this.#sessions.begin(asked, this.#facts), asked);
    } else if (this.#request?.method !== 'GET' || status !== 200) this.#joinRun();
  }

  /**
   * Ends the session that the response declares ended. The head alone decides: a client may send its next request
   * before the body has come.
   */
  #forgetEnded(): void {
    if (this.#key === undefined) return;
    if (this.#request!.method === 'DELETE' && this.#status >= 200 && this.#status < 300)
      this.#sessions.forget(this.#key, 'session deleted');
    else if (this.#status === 404) this.#sessions.forget(this.#key, 'session not found');
  }

  #beginLegacy(uri: string): void {
    const base = this.#upstream.origin + this.#upstream.path;
    if (this.#session !== undefined || !URL.canParse(uri, base)) return;
    const { pathname, search } = new URL(uri, base);
    this.#facts.isLegacySse = true;
    this.#join(this.#sessions.begin(pathname + search, this.#facts), pathname + search);
  }

  #takeServed(frame: Frame): void {
    this.#take(this.#isOptional && frame.from === 'server' ? optionalLine(frame) : frame);
  }

  #take(frame: Frame): void {
    const session = this.#mayBeginLegacyAfter(frame) ? undefined : this.#sessionOf(frame.from);
    if (session !== undefined) return this.#write(session, frame);
    this.#waiting.push(frame);
    this.#waitingShare.hold(bodyBytes(this.#waiting));
  }

  /** Whether a stream may name its endpoint after this frame, and so begin a session of HTTP with SSE. */
  #mayBeginLegacyAfter(frame: Frame): boolean {
    if (this.#session !== undefined || this.#waiting.length > WAITING_MAX || !isBeforeEvents(frame)) return false;
    return this.#request?.method === 'GET' && this.#askedSession === undefined && this.#mayBegin;
  }

  /** Returns the session for frames of a side. Undefined: the session is still unknown. */
  #sessionOf(from: Side): SessionExchangesWriter | undefined {
    if (this.#session === undefined && (from === 'server' || !this.#mayBegin)) this.#joinRun();
    return this.#session;
  }

  /** Reports whether the fast path took the line. */
  #takeFast({ from, at, bytes, start, isBody, id }: Extract<RecordedPart, { kind: 'line' }>): boolean {
    if (this.#isOptional && from === 'server') return false;
    const session = isBody ? this.#sessionOf(from) : this.#session;
    if (session === undefined || (isBody && from === 'server' && this.#mayPromote)) return false;
    if (isBody) return session.plainBodies(from, this.#stream).take(bytes, start, at) >= 0;
    if (id !== undefined) return (session.plainEvent(this.#stream, id)?.take(bytes, start, at) ?? -1) >= 0;
    this.#plain ??= session.plainEvents(this.#stream);
    return this.#plain.take(bytes, start, at) >= 0;
  }

  /** Whether a response can make the run a session. */
  get #mayPromote(): boolean {
    return this.#key === undefined && this.#sessions.isProbe;
  }

  /** Whether the response may start a new session. */
  get #mayBegin(): boolean {
    if (this.#asked.revision !== undefined) return false;
    if (this.#askedSession !== undefined || this.#asked.method === 'initialize') return true;
    // A client that opens HTTP with SSE (2024-11-05) has no revision yet.
    const { method, headers = [] } = this.#request ?? {};
    return method === 'GET' && headerOf(headers, 'mcp-protocol-version') === undefined;
  }

  #joinRun(): void {
    const run = this.#sessions.run();
    run.facts.scheme = this.#facts.scheme;
    this.#join(run);
    const { method, revision } = this.#asked;
    if (method === 'server/discover') return;
    this.#sessions.noteRun();
    // A stateless client expects no session, so a refusal belongs to the run, too.
    if (revision !== undefined && isModern(revision) && this.#mayPromote) this.#sessions.promoteRun();
  }

  #join(session: SessionExchangesWriter, key?: string): void {
    this.#session = session;
    this.#key = key;
    this.#stream = this.#sessions.enter(session);
    session.learnHeaders(this.#request?.headers ?? []);
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) this.#waitingShare.hold(0);
    for (const frame of waiting) this.#write(session, frame);
  }

  #write(session: SessionExchangesWriter, frame: Frame): void {
    if (this.#mayPromote && this.#succeeds(frame)) this.#sessions.promoteRun();
    if (frame.kind !== 'line' || frame.on !== 'stderr') frame.stream = this.#stream;
    session.write(frame);
  }

  #succeeds(frame: Frame): boolean {
    if (frame.kind !== 'message' || frame.from !== 'server' || this.#asked.method === 'server/discover') return false;
    const { value } = frame.json;
    return isResponse(value) && value.result !== undefined;
  }

  #close(): void {
    if (this.#session === undefined) this.#joinRun();
    const session = this.#session!;
    const key = this.#key;
    if (key !== undefined && this.#request!.method === 'GET' && session.facts.isLegacySse)
      this.#sessions.forget(key, 'stream closed');
    this.#sessions.leave(session, key);
  }
}

/** Maximum number of frames that wait for the endpoint of a stream. Further ones are part of the run. */
const WAITING_MAX = 1000;

/** Reports whether a frame of a stream is no event for its client: a comment, or the time until it reconnects. */
function isBeforeEvents(frame: Frame): boolean {
  if (frame.from !== 'server') return false;
  if (frame.kind === 'sse') return frame.sse.event === undefined && frame.sse.data === undefined;
  return frame.kind === 'comment' || (frame.kind === 'http-response' && frame.status === 'sse');
}

/** Request or notification of the client. */
interface Asked {
  method?: string;
  /** Revision that the request states (from 2026-07-28 on, without sessions). */
  revision?: string;
}

function askedIn(message: unknown): Asked {
  if (!isObject(message) || typeof message.method !== 'string') return {};
  const revision = claimedRevision(message);
  return { method: message.method, ...(revision !== undefined && { revision }) };
}

/** Returns a message that was sent in place of the server as an optional line. Other frames are returned unchanged. */
function optionalLine(frame: Frame): Frame {
  if (frame.kind !== 'message') return frame;
  const { json, kind: _, ...carried } = frame;
  return { ...carried, kind: 'line', on: 'protocol', data: json.text, optional: true };
}

/** Returns the line of standard error for a note. It belongs to the session, and to none of its streams. */
function noteFrame({ at, text }: TrafficEvent<'note'>): LineFrame {
  return { kind: 'line', at, from: 'server', on: 'stderr', data: `mcp-record: ${text}` };
}

/** Returns how many bytes of bodies frames have. */
function bodyBytes(frames: readonly Frame[]): number {
  return frames.reduce((sum, frame) => sum + (bodyOf(frame)?.length ?? 0), 0);
}

function bodyOf(frame: Frame): string | Uint8Array | undefined {
  if (frame.kind === 'message') return frame.json.text;
  return frame.kind === 'line' ? frame.data : frame.kind === 'open' ? frame.body : undefined;
}

/** Returns a frame with the first half of its body. */
function firstHalf(frame: Frame): Frame {
  const body = bodyOf(frame);
  if (body === undefined) return frame;
  // Copied, because a part keeps the whole in memory.
  const data = textOrBytes(Buffer.from(Buffer.from(body).subarray(0, Math.floor(body.length / 2))));
  if (frame.kind === 'open') return { ...frame, body: data };
  if (frame.kind === 'line') return { ...frame, data, partial: true };
  if (frame.kind !== 'message') return frame;
  const { json: _json, kind: _kind, ...carried } = frame;
  return { ...carried, kind: 'line', on: 'protocol', data, partial: true };
}
