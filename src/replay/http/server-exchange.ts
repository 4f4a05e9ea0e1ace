import type { CloseFrame, LineFrame, MessageFrame, ResponseFrame, SseFields, SseFrame } from '../../channel/frame.ts';
import { elementsOf, isBatch, type JsonText } from '../../protocol/json-text.ts';
import { isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { sseBytes } from '../../transports/http/sse/sse-encoder.ts';
import type { EventStream } from './event-stream.ts';
import type { DeliveredFrame } from './recorded-delivery.ts';
import type { ReplyWriter } from './reply-writer.ts';

export interface ServerExchangeOptions {
  reply: ReplyWriter;
  /** The stream that it becomes, unless its answer is JSON. */
  stream: EventStream;
  /** Ids, as JSON tokens, of the requests that it brought. */
  ids: readonly string[];
  /** Headers of the answer. */
  headers: Readonly<Record<string, string>>;
  /** Told once, when all is said. */
  done(): void;
}

type Carried = Pick<MessageFrame, 'sse' | 'status' | 'headers'>;

/**
 * Answers a POST. A single message becomes a JSON body, unless others precede it or the cassette has it as an event.
 * Otherwise the response is an event stream, which ends after the last answer or its recorded successors. Answers to a
 * batch form one JSON body; a recorded list stays a list.
 */
export class ServerExchange {
  readonly #options: ServerExchangeOptions;
  readonly #open: Set<string>;
  /** Answers to a batch that is JSON so far. */
  #body: Body = { texts: [], isList: false, unsaid: 0, settled: 0, head: {} };
  /** A list that is said as one event. */
  #list: List | undefined;
  #isStream = false;
  /** The cassette says when it is over. */
  #isFollowed = false;
  #isOver = false;

  constructor(options: ServerExchangeOptions) {
    this.#options = options;
    this.#open = new Set(options.ids);
  }

  /** All is said, or will never be. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ids of the requests that have no answer. */
  get open(): readonly string[] {
    return [...this.#open];
  }

  /**
   * Sends a message as an event or with its recorded status. `recorded` is the recorded message or list that it stands
   * for.
   */
  say(json: JsonText, carried: Carried, recorded?: DeliveredFrame): void {
    if (this.#isOver) return;
    const isAnswer = isResponse(json.value) && this.#open.delete(scalarKeyAt(json, ['id']) ?? '');
    const { bodyFor, isFollowed = false } = recorded?.delivery ?? {};
    const isBody = bodyFor !== undefined || (isAnswer && carried.sse === undefined && !isFollowed);
    if (isBody && !this.#isStream) return this.#gather(json, carried, recorded);
    this.#become();
    this.#isFollowed ||= isFollowed;
    this.#sayEvent(json.text, carried.sse, recorded);
    if (this.#open.size === 0 && !this.#isFollowed) this.#endStream();
  }

  /** The cassette has no further frame for this exchange. */
  last(): void {
    if (this.#isOver) return;
    this.#isFollowed = false;
    if (this.#open.size === 0) this.#endStream();
  }

  /** Says an event without a message: the client may come back to this stream. */
  prime({ data, ...sse }: SseFrame['sse']): void {
    if (this.#isOver) return;
    this.#become();
    this.#flushList();
    // A cassette leaves out the empty data of a priming event, without which a client does not take note of its id.
    const isPriming = sse.id !== undefined && sse.event === undefined;
    this.#options.stream.say(data ?? (isPriming ? '' : undefined), sse);
  }

  /** Sends a line that is no message, or part of one before the connection closes, as an event or as the body. */
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

  /** Answers with what is no message, or begins a stream of events, as the recorded server did. */
  answer({ status, headers = {}, body = '' }: ResponseFrame): void {
    if (this.#isOver || this.#isStream) return;
    if (status === 'sse') return this.#become();
    const { reply, headers: own } = this.#options;
    reply.answer({ status, headers: { ...own, ...headers }, body });
    this.#end();
  }

  /** Closes the connection, or loses it, before all is said: the rest is for who comes back, if anybody can. */
  close(how: NonNullable<CloseFrame['how']> = 'end'): void {
    if (this.#isOver) return;
    if (how === 'end') this.#become();
    this.#flushList();
    if (this.#isStream) this.#options.stream.close(how);
    else if (how !== 'end') this.#options.reply.lose(how);
    if (!this.#options.stream.isResumable) this.#end();
  }

  /** The client's connection is gone. False: it may come back. */
  drop(): boolean {
    const { stream, reply } = this.#options;
    stream.lost(reply);
    if (stream.isResumable) return false;
    this.#isOver = true;
    return true;
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
    // A list for several requests, of which some may not be asked for here, is not waited for beyond the answers.
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

  /** Sends an event. A list waits for its last message, and leaves incomplete before any other event. */
  #sayEvent(text: string, sse: SseFields | undefined, recorded: DeliveredFrame | undefined): void {
    if (recorded === undefined || sse === undefined || !isBatch(recorded.json)) {
      this.#flushList();
      return this.#options.stream.say(text, sse);
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
    this.#options.stream.say(unsaid > 0 && texts.length === 1 ? texts[0] : `[${texts.join(',')}]`, sse);
  }

  #become(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    const { stream, reply, headers } = this.#options;
    stream.begin(reply, headers);
    for (const text of this.#body.texts.splice(0)) stream.say(text);
  }

  #endStream(): void {
    this.#flushList();
    this.#options.stream.end();
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#options.done();
  }
}

/** What is answered as JSON. */
interface Body {
  texts: string[];
  /** It is a list, be it of one. */
  isList: boolean;
  /** The message, or list, of the cassette that was said last, and how many messages of it have not come yet. */
  recorded?: DeliveredFrame | undefined;
  unsaid: number;
  /** Number of requests of its recorded response. */
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
