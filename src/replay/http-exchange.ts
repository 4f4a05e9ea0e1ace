import type { MessageFrame } from '../channel/frame.ts';
import { tokenAt } from '../protocol/id.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isResponse } from '../protocol/message.ts';
import type { HttpAnswer } from './http-request.ts';

/** How an answer leaves. */
export interface HttpReply {
  /** Answers at once, and whole. */
  answer(answer: HttpAnswer): void;
  /** Begins a stream of events. */
  stream(headers: Readonly<Record<string, string>>): void;
  /** One event, whose data is a message, or what its name says. */
  event(data: string, name?: string): void;
  end(): void;
}

export interface HttpExchangeOptions {
  reply: HttpReply;
  /** Ids, as JSON tokens, of the requests that it brought. */
  ids: readonly string[];
  /** Headers of the answer. */
  headers: Readonly<Record<string, string>>;
  /** Told once, when all is said. */
  done(): void;
}

/**
 * What a POST is answered with: the message alone as JSON where nothing goes before it and it was not taped as an event,
 * else a stream of events, which ends with the last answer.
 */
export class HttpExchange {
  readonly #options: HttpExchangeOptions;
  readonly #open: Set<string>;
  #isStream = false;
  #isOver = false;

  constructor(options: HttpExchangeOptions) {
    this.#options = options;
    this.#open = new Set(options.ids);
  }

  /** Ids of the requests that have no answer. */
  get open(): readonly string[] {
    return [...this.#open];
  }

  /** Says a message, as an event where the tape has it as one, and else with the status that it has there. */
  say(json: JsonText, { sse, status = 200 }: Pick<MessageFrame, 'sse' | 'status'>): void {
    if (this.#isOver) return;
    const { reply, headers, ids } = this.#options;
    const isAnswer = isResponse(json.value) && this.#open.delete(tokenAt(json, ['id']) ?? '');
    const isAlone = isAnswer && ids.length === 1 && !this.#isStream;
    if (isAlone && sse === undefined) {
      reply.answer({
        status,
        headers: { ...headers, 'content-type': 'application/json' },
        body: json.text,
      });
      return this.#end();
    }
    if (!this.#isStream) reply.stream(headers);
    this.#isStream = true;
    reply.event(json.text);
    if (this.#open.size > 0) return;
    reply.end();
    this.#end();
  }

  /** Nobody listens any more. */
  drop(): void {
    this.#isOver = true;
  }

  #end(): void {
    this.#isOver = true;
    this.#options.done();
  }
}
