import type { CloseFrame, LineFrame, MessageFrame, ResponseFrame, SseFields, SseFrame } from '../../channel/frame.ts';
import { elementsOf, isBatch, type JsonText } from '../../protocol/json-text.ts';
import { isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { sseBytes } from '../../transports/http/sse/sse-encoder.ts';
import type { HttpResponseWriter } from './http-response-writer-types.ts';
import type { DeliveredFrame } from './recorded-delivery.ts';
import type { ResumableEventStream } from './resumable-event-stream.ts';

/**
 * Form of an answer whose form was not recorded: `auto` is a JSON body, unless other messages precede it, and `sse` an event
 * stream. The names are those of SDK 2.
 */
export type ResponseMode = 'auto' | 'sse';

export interface PostAnswerOptions {
  reply: HttpResponseWriter;
  /** Stream used unless the answer is JSON. */
  stream: ResumableEventStream;
  /** Ids of the exchange's requests, as JSON tokens. */
  ids: readonly string[];
  /** Default: `auto`. */
  responseMode?: ResponseMode | undefined;
  /** Response headers. */
  headers: Readonly<Record<string, string>>;
  /** Called once, at the end of the exchange. */
  done(): void;
}

type Carried = Pick<MessageFrame, 'sse' | 'status' | 'headers'>;

/**
 * Answers a POST. A single message becomes a JSON body, unless other messages precede it, it was recorded as an SSE event,
 * or the response mode asks for one. Otherwise the response is an SSE stream, which ends after the last answer or the recorded messages after it.
 * Answers to a batch form one JSON body; a recorded list stays a list.
 */
export class PostAnswer {
  readonly #options: PostAnswerOptions;
  readonly #open: Set<string>;
  /** Collected answers to a batch with a JSON body. */
  #body: Body = { texts: [], isList: false, unsaid: 0, settled: 0, head: {} };
  /** Messages collected for one event. */
  #list: List | undefined;
  #isStream = false;
  /** Whether the stream continues after its answer, until `last`. */
  #isFollowed = false;
  #isOver = false;

  constructor(options: PostAnswerOptions) {
    this.#options = options;
    this.#open = new Set(options.ids);
  }

  /** Whether the exchange has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ids of unanswered requests. */
  get open(): readonly string[] {
    return [...this.#open];
  }

  /**
   * Sends a message as an event or with its recorded status. `recorded` is the corresponding recorded message or list.
   */
  send(json: JsonText, carried: Carried, recorded?: DeliveredFrame): void {
    if (this.#isOver) return;
    const isAnswer = isResponse(json.value) && this.#open.delete(scalarKeyAt(json, ['id']) ?? '');
    const { bodyFor, isFollowed = false } = recorded?.delivery ?? {};
    const isStreamed = carried.sse !== undefined || isFollowed || this.#isStreamedByMode(carried);
    const isBody = bodyFor !== undefined || (isAnswer && !isStreamed);
    if (isBody && !this.#isStream) return this.#gather(json, carried, recorded);
    this.#become();
    this.#isFollowed ||= isFollowed;
    this.#sayEvent(json.text, carried.sse, recorded);
    if (this.#open.size === 0 && !this.#isFollowed) this.#streamEndingFault();
  }

  /** Notes that the cassette has no further frame for this exchange. */
  last(): void {
    if (this.#isOver) return;
    this.#isFollowed = false;
    if (this.#open.size === 0) this.#streamEndingFault();
  }

  /** Sends an event without a message, which lets the client resume this stream. */
  prime({ data, ...sse }: SseFrame['sse']): void {
    if (this.#isOver) return;
    this.#become();
    this.#flushList();
    // Cassettes omit the empty data of a priming event, but clients store the id only with data.
    const isPriming = sse.id !== undefined && sse.event === undefined;
    this.#options.stream.send(data ?? (isPriming ? '' : undefined), sse);
  }

  /** Sends an invalid line, or a truncated message before a close, as an event or as the body. */
  sayNoise({ data, sse, partial, status = 200, headers }: LineFrame): void {
    if (this.#isOver) return;
    if (sse !== undefined) {
      this.#become();
      this.#flushList();
      return this.#options.stream.write(sseBytes(data, { ...sse, partial }));
    }
    if (this.#isStream) return;
    const { reply, headers: own } = this.#options;
    const body = Buffer.from(data);
    const length = String(body.length + (partial ? 1 : 0));
    reply.begin({
      status,
      headers: { ...own, 'content-type': 'application/json', ...headers, 'content-length': length },
    });
    reply.write(body);
    if (partial) return;
    reply.end();
    this.#end();
  }

  /** Sends the recorded response without a message, or starts an SSE stream. */
  answer({ status, headers = {}, body = '' }: ResponseFrame): void {
    if (this.#isOver || this.#isStream) return;
    if (status === 'sse') return this.#become();
    const { reply, headers: own } = this.#options;
    reply.answer({ status, headers: { ...own, ...headers }, body });
    this.#end();
  }

  /**
   * Closes or breaks the connection before the end. The client gets the remaining messages only if it can resume the
   * stream.
   */
  close(how: NonNullable<CloseFrame['how']> = 'end'): void {
    if (this.#isOver) return;
    if (how === 'end') this.#become();
    this.#flushList();
    if (this.#isStream) this.#options.stream.close(how);
    else if (how !== 'end') this.#options.reply.abort(how);
    if (!this.#options.stream.isResumable) this.#end();
  }

  /** Notes that the client's connection is closed. Returns false if the client may resume the stream. */
  drop(): boolean {
    const { stream, reply } = this.#options;
    stream.lost(reply);
    if (stream.isResumable) return false;
    this.#isOver = true;
    return true;
  }

  /** An event stream has no other status than 200. */
  #isStreamedByMode({ status = 200 }: Carried): boolean {
    return this.#options.responseMode === 'sse' && status === 200;
  }

  #gather(json: JsonText, { status = 200, headers }: Carried, recorded: DeliveredFrame | undefined): void {
    const body = this.#body;
    const { ids } = this.#options;
    const { bodyFor = 1 } = recorded?.delivery ?? {};
    const size = recorded && isBatch(recorded.json) ? answersIn(recorded.json) : 1;
    body.texts.push(json.text);
    body.head = { status, ...(headers && { headers }) };
    if (recorded !== body.recorded || size === 1) {
      body.unsaid = size;
      body.settled += bodyFor;
      body.recorded = recorded;
    }
    if (isResponse(json.value)) body.unsaid--;
    body.isList ||= body.unsaid === 0 && recorded !== undefined && isBatch(recorded.json);
    // A recorded list for several requests may include requests missing here. It is complete once all present ones are
    // answered.
    const isSettled = body.settled >= ids.length && (bodyFor === 1 || ids.length === bodyFor);
    const isWhole = body.unsaid === 0 && isSettled;
    const isAnswered = this.#open.size === 0;
    const isAwaited = recorded?.delivery !== undefined && bodyFor === 1 && body.unsaid > 0;
    if (isWhole || (isAnswered && !isAwaited)) this.#answerWith(body);
  }

  #answerWith({ texts, isList, head: { status = 200, headers } }: Body): void {
    const { reply, headers: own } = this.#options;
    const body = isList || texts.length > 1 ? `[${texts.join(',')}]` : texts[0]!;
    reply.answer({ status, headers: { ...own, 'content-type': 'application/json', ...headers }, body });
    this.#end();
  }

  /** Sends an event. A list is sent when its last message arrives, or incomplete before any other event. */
  #sayEvent(text: string, sse: SseFields | undefined, recorded: DeliveredFrame | undefined): void {
    if (recorded === undefined || sse === undefined || !isBatch(recorded.json)) {
      this.#flushList();
      return this.#options.stream.send(text, sse);
    }
    if (this.#list?.recorded !== recorded) {
      this.#flushList();
      this.#list = { recorded, sse, texts: [], unsaid: elementsOf(recorded.json).length };
    }
    this.#list.texts.push(text);
    if (--this.#list.unsaid === 0) this.#flushList();
  }

  #flushList(): void {
    const list = this.#list;
    this.#list = undefined;
    if (list === undefined) return;
    const { texts, unsaid, sse } = list;
    this.#options.stream.send(unsaid > 0 && texts.length === 1 ? texts[0] : `[${texts.join(',')}]`, sse);
  }

  #become(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    const { stream, reply, headers } = this.#options;
    stream.begin(reply, headers);
    for (const text of this.#body.texts.splice(0)) stream.send(text);
  }

  #streamEndingFault(): void {
    this.#flushList();
    this.#options.stream.end();
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#options.done();
  }
}

/** Collected messages of a JSON response. */
interface Body {
  texts: string[];
  /** Whether the body is a JSON array, even with a single message. */
  isList: boolean;
  /** The latest recorded message or list, and the number of its messages not yet collected. */
  recorded?: DeliveredFrame | undefined;
  unsaid: number;
  /** Number of requests answered by the collected recorded responses. */
  settled: number;
  head: Pick<Carried, 'status' | 'headers'>;
}

interface List {
  recorded: DeliveredFrame;
  sse: SseFields;
  texts: string[];
  unsaid: number;
}

function answersIn(json: JsonText): number {
  return elementsOf(json).filter(({ value }) => isResponse(value)).length;
}
