import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { CloseFrame, Frame, MessageFrame, SseFields } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { errorOf, isRequest, isResponse, resultOf } from '../../protocol/message.ts';
import type { Finding } from '../findings/finding.ts';
import type { PlayedRun } from '../player/player-options.ts';
import { LISTENING } from '../prepare/playable-http-events.ts';
import type { PlaybackContext, SessionPlayer } from './create-session-player.ts';
import type { HttpResponseWriter } from './http-response-writer-types.ts';
import { PostAnswer, type ResponseMode } from './post-answer.ts';
import type { DeliveredFrame } from './recorded-delivery.ts';
import type { ParsedPost } from './requests/accept-or-refuse-request.ts';
import { EventLog, ResumableEventStream } from './resumable-event-stream.ts';

export interface ServerSessionOptions {
  /** Creates the player of this session. */
  createPlayer(context: Pick<PlaybackContext, 'send'>): SessionPlayer;
  /** Whether the session uses revision 2026-07-28 or later, which maps some errors to an HTTP status. */
  modern: boolean;
  /** Whether the server offers a listening stream. */
  listens: boolean;
  /** First event of the listening stream. */
  primer?: SseFields | undefined;
  /** As {@link PostAnswerOptions.responseMode}. */
  responseMode?: ResponseMode | undefined;
  report(finding: Finding): void;
}

/** Maximum number of messages held until the client listens. */
const HELD_MAX = 1_000;

/** One client's session with a mock server over HTTP, or the shared session of a server without sessions. */
export class ServerSession {
  readonly #options: ServerSessionOptions;
  readonly #player: SessionPlayer;
  readonly #exchanges = new Map<number, PostAnswer>();
  readonly #log = new EventLog();
  /** The client's listening stream. */
  #listening: ResumableEventStream | undefined;
  /** Frames to be sent when the client listens. */
  readonly #held: (MessageFrame | CloseFrame)[] = [];
  #isFull = false;
  /** Whether the transport is HTTP with SSE (2024-11-05): one stream carries all messages, and events have no ids. */
  #isOneStream = false;
  #streams = 0;
  /** Negotiated revision. */
  revision: string | undefined;

  constructor(options: ServerSessionOptions) {
    this.#options = options;
    this.#player = options.createPlayer({ send: (frame, recorded) => this.#send(frame, recorded) });
  }

  /** Handles a POST. Returns the callback for a connection that closes before the answer. */
  post(
    { json, modern }: ParsedPost,
    ids: readonly string[],
    reply: HttpResponseWriter,
    headers: Record<string, string>,
  ): () => void {
    const number = ++this.#streams;
    const stream = new ResumableEventStream(this.#log);
    const done = () => this.#done(number);
    const { responseMode } = this.#options;
    const exchange = new PostAnswer({ reply, stream, ids, responseMode, headers, done });
    if (ids.length > 0) this.#exchanges.set(number, exchange);
    this.#player.receive(json, number);
    if (ids.length === 0) reply.answer({ status: 202, headers });
    return () => this.#gone(number, exchange, modern);
  }

  /** Handles a message whose answers are sent on the listening stream. */
  tell(json: JsonText): void {
    this.#player.receive(json, ++this.#streams);
  }

  /**
   * Connects a listening stream, which replaces the previous one. In HTTP with SSE the first event announces
   * `endpoint`. Returns the callback for its close.
   */
  listen(reply: HttpResponseWriter, endpoint?: string): () => void {
    this.#listening?.end();
    const stream = new ResumableEventStream(this.#log);
    this.#listening = stream;
    stream.begin(reply, {});
    const { primer } = this.#options;
    this.#isOneStream = endpoint !== undefined;
    if (endpoint !== undefined) stream.send(endpoint, { event: 'endpoint' });
    else if (primer) stream.send('', primer);
    while (this.#held.length > 0 && stream.isHeard) this.#sayUnasked(this.#held.shift()!);
    return () => stream.lost(reply);
  }

  /**
   * Resumes the stream of the event `id`. Returns `undefined` for an unknown id. If events have no ids, opens a
   * listening stream instead.
   */
  resume(id: string, reply: HttpResponseWriter): (() => void) | undefined {
    if (this.#log.isEmpty) return this.listen(reply);
    const { stream, missed } = this.#log.after(id) ?? {};
    if (stream === undefined) return undefined;
    stream.begin(reply, {}, missed);
    return () => stream.lost(reply);
  }

  /** As {@link SessionPlayer.runs}. */
  get runs(): readonly PlayedRun[] {
    return this.#player.runs;
  }

  /** As {@link Player.faulted}. */
  faulted(fired: Fired): void {
    this.#player.faulted(fired);
  }

  /** Ends the session and its open exchanges. */
  end(): void {
    this.#player.finish();
    this.#listening?.end();
  }

  #done(stream: number): void {
    this.#exchanges.delete(stream);
    this.#player.done(stream);
  }

  #send(frame: Frame, recorded?: SessionEntry): void {
    const isUnasked = recorded?.frame.stream === LISTENING && this.#isToListen(frame);
    const exchange = isUnasked ? undefined : this.#exchanges.get(frame.stream ?? 0);
    if (frame.kind === 'sse') return exchange?.prime(frame.sse);
    if (frame.kind === 'close' && !isUnasked) return 'isLast' in frame ? exchange?.last() : exchange?.close(frame.how);
    if (frame.kind === 'http-response') return exchange?.answer(frame);
    if (frame.kind === 'line') return exchange?.sayNoise(frame);
    if (frame.kind !== 'message' && frame.kind !== 'close') return;
    if (frame.kind === 'message') this.revision ??= negotiated(frame.json);
    if (exchange && frame.kind === 'message')
      return exchange.send(
        frame.json,
        { status: statusOf(frame.json, this.#options.modern), ...frame },
        recorded?.frame as DeliveredFrame | undefined,
      );
    this.#sayUnasked(frame);
  }

  /**
   * Reports whether a frame is held until the client listens. Requests to the client are not held, because the client
   * may never listen.
   */
  #isToListen(frame: Frame): boolean {
    if (this.#listening !== undefined) return true;
    return this.#options.listens && !(frame.kind === 'message' && isRequest(frame.json.value));
  }

  #sayUnasked(frame: MessageFrame | CloseFrame): void {
    const listening = this.#listening;
    if (!listening || !(listening.isHeard || listening.isResumable)) return this.#hold(frame);
    if (frame.kind === 'close') return this.#isOneStream ? undefined : listening.close(frame.how);
    listening.send(frame.json.text, this.#isOneStream ? {} : frame.sse);
  }

  #hold(frame: MessageFrame | CloseFrame): void {
    this.#held.push(frame);
    if (this.#held.length <= HELD_MAX) return;
    this.#held.length = HELD_MAX;
    if (this.#isFull) return;
    this.#isFull = true;
    const text =
      'Messages of the server outside of requests cannot be delivered: the client opened no listening stream.';
    this.#options.report({ kind: 'unsent', text });
  }

  /**
   * Notes a closed connection. From 2026-07-28 on this cancels the request; earlier revisions attach no meaning to it.
   */
  #gone(stream: number, exchange: PostAnswer, modern: boolean): void {
    if (exchange.isOver || (!exchange.drop() && !modern)) return;
    for (const id of modern ? exchange.open : []) {
      const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
      this.#player.receive(new JsonText(text), stream);
    }
    this.#done(stream);
  }
}

function negotiated({ value }: JsonText): string | undefined {
  const revision = isResponse(value) ? resultOf(value).protocolVersion : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

const METHOD_NOT_FOUND = -32601;
/** Codes of HeaderMismatch, MissingRequiredClientCapability and UnsupportedProtocolVersion. */
const BAD_REQUEST: readonly unknown[] = [-32020, -32021, -32022];

/** Returns the HTTP status for an error without a recorded one (2026-07-28, "Error Handling"). */
function statusOf({ value }: JsonText, modern: boolean): number {
  const code = modern && isResponse(value) ? errorOf(value)?.code : undefined;
  if (code === METHOD_NOT_FOUND) return 404;
  return BAD_REQUEST.includes(code) ? 400 : 200;
}
