import type {
  CloseFrame,
  EventFrame,
  MessageFrame,
  NoiseFrame,
  ReplyFrame,
  SseFields,
} from '../channel/frame.ts';
import { tokenAt } from '../protocol/id.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isResponse } from '../protocol/message.ts';
import type { Loss } from '../transports/http/piece.ts';
import { sseBytes } from '../transports/http/sse-text.ts';
import type { HttpAnswer } from './http-request.ts';
import type { HttpStream } from './http-stream.ts';

/** How an answer leaves. */
export interface HttpReply {
  /** Answers at once, and whole. */
  answer(answer: HttpAnswer): void;
  /** Begins a stream of events. */
  stream(headers: Readonly<Record<string, string>>): void;
  /** One event, whose data is a message, or what its fields say. */
  event(data: string | undefined, sse?: SseFields): void;
  /** Begins an answer with its headers. */
  begin(answer: Omit<HttpAnswer, 'body'>): void;
  /** Bytes of what was begun, as they are. */
  write(data: Uint8Array): void;
  end(): void;
  /** Loses the connection, whatever has been said: a client can tell that there was to be more. */
  lose(how: Loss): void;
}

export interface HttpExchangeOptions {
  reply: HttpReply;
  /** The stream that it becomes, unless its answer is JSON. */
  stream: HttpStream;
  /** Ids, as JSON tokens, of the requests that it brought. */
  ids: readonly string[];
  /** Headers of the answer. */
  headers: Readonly<Record<string, string>>;
  /** Told once, when all is said. */
  done(): void;
}

/**
 * What a POST is answered with: the message alone as JSON where nothing goes before it and it was not taped as an event,
 * else a stream of events, which ends with the last answer. Several answers to a batch are JSON together.
 */
export class HttpExchange {
  readonly #options: HttpExchangeOptions;
  readonly #open: Set<string>;
  /** Answers to a batch that is JSON so far. */
  #gathered: string[] = [];
  #isStream = false;
  #isOver = false;

  constructor(options: HttpExchangeOptions) {
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

  /** Says a message, as an event where the tape has it as one, and else with the status that it has there. */
  say(json: JsonText, { sse, status = 200 }: Pick<MessageFrame, 'sse' | 'status'>): void {
    if (this.#isOver) return;
    const isAnswer = isResponse(json.value) && this.#open.delete(tokenAt(json, ['id']) ?? '');
    if (isAnswer && sse === undefined && !this.#isStream) return this.#gather(json.text, status);
    this.#become();
    this.#options.stream.say(json.text, sse);
    if (this.#open.size > 0) return;
    this.#options.stream.end();
    this.#end();
  }

  /** Says an event without a message: the client may come back to this stream. */
  prime({ data, ...sse }: EventFrame['sse']): void {
    if (this.#isOver) return;
    this.#become();
    // A tape leaves out the empty data of a priming event, without which a client does not take note of its id.
    const isPriming = sse.id !== undefined && sse.event === undefined;
    this.#options.stream.say(data ?? (isPriming ? '' : undefined), sse);
  }

  /** Says what is no message, or a part of one before the connection is lost: in an event, or as the body. */
  sayNoise({ data, sse, partial, status = 200, headers }: NoiseFrame): void {
    if (this.#isOver) return;
    if (sse !== undefined) {
      this.#become();
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
  answer({ status, headers = {}, body = '' }: ReplyFrame): void {
    if (this.#isOver || this.#isStream) return;
    if (status === 'sse') return this.#become();
    const { reply, headers: own } = this.#options;
    reply.answer({ status, headers: { ...own, ...headers }, body: Buffer.from(body).toString() });
    this.#end();
  }

  /** Closes the connection, or loses it, before all is said: the rest is for who comes back, if anybody can. */
  close(how: NonNullable<CloseFrame['how']> = 'end'): void {
    if (this.#isOver) return;
    if (how === 'end') this.#become();
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

  #gather(text: string, status: number): void {
    this.#gathered.push(text);
    if (this.#open.size > 0) return;
    const { reply, headers } = this.#options;
    const body = this.#gathered.length > 1 ? `[${this.#gathered.join(',')}]` : text;
    reply.answer({ status, headers: { ...headers, 'content-type': 'application/json' }, body });
    this.#end();
  }

  #become(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    const { stream, reply, headers } = this.#options;
    stream.begin(reply, headers);
    for (const text of this.#gathered.splice(0)) stream.say(text);
  }

  #end(): void {
    this.#isOver = true;
    this.#options.done();
  }
}
