import type { Frame } from '../channel/frame.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isResponse } from '../protocol/message.ts';
import type { Finding } from './finding.ts';
import { HttpExchange, type HttpReply } from './http-exchange.ts';
import type { Posted } from './http-request.ts';
import type { Performer, Stagecraft } from './performer.ts';

export interface HttpSessionOptions {
  /** Puts on what is played in this session. */
  perform(craft: Pick<Stagecraft, 'say'>): Performer;
  /** It is of 2026-07-28 or later, where some errors have a status of their own. */
  modern: boolean;
  report(finding: Finding): void;
}

/** What the server says unasked, and nobody listens to, is kept up to so many messages. */
const HELD_MAX = 1_000;

/** One client's session with the recorded server over HTTP, or what all clients share where there are no sessions. */
export class HttpSession {
  readonly #options: HttpSessionOptions;
  readonly #performer: Performer;
  readonly #exchanges = new Map<number, HttpExchange>();
  /** The stream that the client listens on. */
  #listening: HttpReply | undefined;
  /** What was said while nobody listened. */
  #held: string[] = [];
  #streams = 0;
  /** What `initialize` came to. */
  revision: string | undefined;

  constructor(options: HttpSessionOptions) {
    this.#options = options;
    this.#performer = options.perform({ say: (frame) => this.#say(frame) });
  }

  /** Takes what a client posts. Gives what to do when its connection closes before it is answered. */
  post(
    { json, modern }: Posted,
    ids: readonly string[],
    reply: HttpReply,
    headers: Record<string, string>,
  ): () => void {
    const stream = ++this.#streams;
    const done = () => this.#done(stream);
    const exchange = new HttpExchange({ reply, ids, headers, done });
    if (ids.length > 0) this.#exchanges.set(stream, exchange);
    this.#performer.hear(json, stream);
    if (ids.length === 0) reply.answer({ status: 202, headers });
    return () => this.#gone(stream, exchange, modern);
  }

  /** Takes a message whose answers come on the stream that the client listens on. */
  tell(json: JsonText): void {
    this.#performer.hear(json, ++this.#streams);
  }

  /** A client listens from now on, and is told first where to post, if that is to be told; of several streams the latest is spoken on. */
  listen(reply: HttpReply, headers: Record<string, string>, endpoint?: string): () => void {
    this.#listening?.end();
    this.#listening = reply;
    reply.stream(headers);
    if (endpoint !== undefined) reply.event(endpoint, 'endpoint');
    for (const text of this.#held.splice(0)) reply.event(text);
    return () => {
      if (this.#listening === reply) this.#listening = undefined;
    };
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

  #say(frame: Frame): void {
    if (frame.kind !== 'message') return;
    this.revision ??= negotiated(frame.json);
    const exchange = frame.stream === undefined ? undefined : this.#exchanges.get(frame.stream);
    if (exchange)
      return exchange.say(frame.json, { status: statusOf(frame.json, this.#options.modern), ...frame });
    if (this.#listening) return this.#listening.event(frame.json.text);
    if (this.#held.length < HELD_MAX) return void this.#held.push(frame.json.text);
    const text = 'What the server says unasked has nobody to hear it: no stream was opened.';
    if (this.#held.length === HELD_MAX) this.#options.report({ kind: 'unsent', text });
    this.#held.push('');
  }

  /** 2026-07-28: to close the stream of a request is to cancel it; before that it means nothing. */
  #gone(stream: number, exchange: HttpExchange, modern: boolean): void {
    exchange.drop();
    for (const id of modern ? exchange.open : []) {
      const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
      this.#performer.hear(new JsonText(text), stream);
    }
    this.#done(stream);
  }
}

function negotiated({ value }: JsonText): string | undefined {
  const revision = isResponse(value) ? value.result?.protocolVersion : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

const METHOD_NOT_FOUND = -32601;
/** HeaderMismatch, MissingRequiredClientCapability, UnsupportedProtocolVersion. */
const BAD_REQUEST: readonly unknown[] = [-32020, -32021, -32022];

/** 2026-07-28, "Error Handling": the status that an error comes with where the tape does not say. */
function statusOf({ value }: JsonText, modern: boolean): number {
  const code = modern && isResponse(value) ? value.error?.code : undefined;
  if (code === METHOD_NOT_FOUND) return 404;
  return BAD_REQUEST.includes(code) ? 400 : 200;
}
