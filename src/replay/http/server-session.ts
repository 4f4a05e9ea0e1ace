import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { CloseFrame, Frame, MessageFrame, SseFields } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { errorOf, isRequest, isResponse, resultOf } from '../../protocol/message.ts';
import type { Finding } from '../findings/finding.ts';
import type { PlayedRun } from '../player/player-options.ts';
import { EventLog, EventStream } from './event-stream.ts';
import type { MessageHandler, PlaybackContext } from './message-handler.ts';
import type { DeliveredFrame } from './recorded-delivery.ts';
import { LISTENING } from './recorded-streams.ts';
import type { ReplyWriter } from './reply-writer.ts';
import type { ParsedPost } from './requests/read-request.ts';
import { ServerExchange } from './server-exchange.ts';

export interface ServerSessionOptions {
  /** Puts on what is played in this session. */
  perform(craft: Pick<PlaybackContext, 'say'>): MessageHandler;
  /** Whether the session is of 2026-07-28 or later, where some errors have their own status. */
  modern: boolean;
  /** It offers a stream to listen on. */
  listens: boolean;
  /** What that begins with. */
  primer?: SseFields | undefined;
  report(finding: Finding): void;
}

/** What the server says unasked, and nobody listens to, is kept up to so many messages. */
const HELD_MAX = 1_000;

/** One client's session with the recorded server over HTTP, or what all clients share where there are no sessions. */
export class ServerSession {
  readonly #options: ServerSessionOptions;
  readonly #performer: MessageHandler;
  readonly #exchanges = new Map<number, ServerExchange>();
  readonly #log = new EventLog();
  /** The stream that the client listens on. */
  #listening: EventStream | undefined;
  /** What was said while nobody listened, and how that stream was closed. */
  readonly #held: (MessageFrame | CloseFrame)[] = [];
  #isFull = false;
  /** HTTP with SSE (2024-11-05): all is said on the stream, and events have no ids. */
  #isOneStream = false;
  #streams = 0;
  /** What `initialize` came to. */
  revision: string | undefined;

  constructor(options: ServerSessionOptions) {
    this.#options = options;
    this.#performer = options.perform({ say: (frame, recorded) => this.#say(frame, recorded) });
  }

  /** Takes what a client posts. Gives what to do when its connection closes before it is answered. */
  post(
    { json, modern }: ParsedPost,
    ids: readonly string[],
    reply: ReplyWriter,
    headers: Record<string, string>,
  ): () => void {
    const number = ++this.#streams;
    const stream = new EventStream(this.#log);
    const done = () => this.#done(number);
    const exchange = new ServerExchange({ reply, stream, ids, headers, done });
    if (ids.length > 0) this.#exchanges.set(number, exchange);
    this.#performer.hear(json, number);
    if (ids.length === 0) reply.answer({ status: 202, headers });
    return () => this.#gone(number, exchange, modern);
  }

  /** Takes a message whose answers come on the stream that the client listens on. */
  tell(json: JsonText): void {
    this.#performer.hear(json, ++this.#streams);
  }

  /** A client listens from now on, and is told first where to post, if that is to be told; of several streams the latest is spoken on. */
  listen(reply: ReplyWriter, endpoint?: string): () => void {
    this.#listening?.end();
    const stream = new EventStream(this.#log);
    this.#listening = stream;
    stream.begin(reply, {});
    const { primer } = this.#options;
    this.#isOneStream = endpoint !== undefined;
    if (endpoint !== undefined) stream.say(endpoint, { event: 'endpoint' });
    else if (primer) stream.say('', primer);
    while (this.#held.length > 0 && stream.isHeard) this.#sayUnasked(this.#held.shift()!);
    return () => stream.lost(reply);
  }

  /**
   * A client goes on with the stream of the event `id`. Undefined: there is no such event. Where events have no ids, nobody
   * can tell, and the client listens.
   */
  resume(id: string, reply: ReplyWriter): (() => void) | undefined {
    if (this.#log.isEmpty) return this.listen(reply);
    const { stream, missed } = this.#log.after(id) ?? {};
    if (stream === undefined) return undefined;
    stream.begin(reply, {}, missed);
    return () => stream.lost(reply);
  }

  /** As {@link MessageHandler.runs}. */
  get runs(): readonly PlayedRun[] {
    return this.#performer.runs;
  }

  /** As {@link Player.faulted}. */
  faulted(fired: Fired): void {
    this.#performer.faulted(fired);
  }

  /** Ends the session, and what is under way. */
  end(): void {
    this.#performer.finish();
    this.#listening?.end();
  }

  #done(stream: number): void {
    this.#exchanges.delete(stream);
    this.#performer.done(stream);
  }

  #say(frame: Frame, recorded?: SessionEntry): void {
    const isUnasked = recorded?.frame.stream === LISTENING && this.#isToListen(frame);
    const exchange = isUnasked ? undefined : this.#exchanges.get(frame.stream ?? 0);
    if (frame.kind === 'sse') return exchange?.prime(frame.sse);
    if (frame.kind === 'close' && !isUnasked) return 'isLast' in frame ? exchange?.last() : exchange?.close(frame.how);
    if (frame.kind === 'http-response') return exchange?.answer(frame);
    if (frame.kind === 'line') return exchange?.sayNoise(frame);
    if (frame.kind !== 'message' && frame.kind !== 'close') return;
    if (frame.kind === 'message') this.revision ??= negotiated(frame.json);
    if (exchange && frame.kind === 'message')
      return exchange.say(
        frame.json,
        { status: statusOf(frame.json, this.#options.modern), ...frame },
        recorded?.frame as DeliveredFrame | undefined,
      );
    this.#sayUnasked(frame);
  }

  /** Whether a frame waits for a listening client. Requests to the client do not: it may never listen. */
  #isToListen(frame: Frame): boolean {
    if (this.#listening !== undefined) return true;
    return this.#options.listens && !(frame.kind === 'message' && isRequest(frame.json.value));
  }

  #sayUnasked(frame: MessageFrame | CloseFrame): void {
    const listening = this.#listening;
    if (!listening || !(listening.isHeard || listening.isResumable)) return this.#hold(frame);
    if (frame.kind === 'close') return this.#isOneStream ? undefined : listening.close(frame.how);
    listening.say(frame.json.text, this.#isOneStream ? {} : frame.sse);
  }

  #hold(frame: MessageFrame | CloseFrame): void {
    this.#held.push(frame);
    if (this.#held.length <= HELD_MAX) return;
    this.#held.length = HELD_MAX;
    if (this.#isFull) return;
    this.#isFull = true;
    const text = 'What the server says unasked has nobody to hear it: no stream was opened.';
    this.#options.report({ kind: 'unsent', text });
  }

  /** From 2026-07-28 on, closing a request's stream cancels it. In earlier revisions it has no meaning. */
  #gone(stream: number, exchange: ServerExchange, modern: boolean): void {
    if (exchange.isOver || (!exchange.drop() && !modern)) return;
    for (const id of modern ? exchange.open : []) {
      const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
      this.#performer.hear(new JsonText(text), stream);
    }
    this.#done(stream);
  }
}

function negotiated({ value }: JsonText): string | undefined {
  const revision = isResponse(value) ? resultOf(value).protocolVersion : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

const METHOD_NOT_FOUND = -32601;
/** HeaderMismatch, MissingRequiredClientCapability, UnsupportedProtocolVersion. */
const BAD_REQUEST: readonly unknown[] = [-32020, -32021, -32022];

/** 2026-07-28, "Error Handling": the status that an error comes with where the cassette does not say. */
function statusOf({ value }: JsonText, modern: boolean): number {
  const code = modern && isResponse(value) ? errorOf(value)?.code : undefined;
  if (code === METHOD_NOT_FOUND) return 404;
  return BAD_REQUEST.includes(code) ? 400 : 200;
}
