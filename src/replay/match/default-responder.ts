import { isSaid, type Move } from '../../cassette/correlate/session-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { paramsOf, type Request } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import type { Finding } from '../findings/finding.ts';
import type { Score } from '../plan/server-plan.ts';
import type { Rebinder } from '../tokens/token-rewriter.ts';
import { defaultResponse, hasRequest } from './inferred-responses.ts';
import { missOf } from './near-miss.ts';
import { type Era, eraOf, type Reply, replyToProbe } from './protocol-generation.ts';
import type { Entry } from './recorded-request.ts';
import type { Book } from './request-matcher.ts';

export interface ImproviserOptions {
  score: Score;
  book: Book;
  rebinder: Rebinder;
  /** The cassette's name, for messages. */
  file: string;
  /** The recorded answer to `server/discover`, where it lies on another tape. */
  discovered?: Reply | undefined;
  /** No program recorded the cassette: what it leaves out is answered from what it has. */
  isHandWritten?: boolean | undefined;
}

/** 2026-07-28, "Error Handling": what a server has no method for it says so, over HTTP with a status of its own. */
const METHOD_NOT_FOUND = -32601;

/** What is said at once, and what a person must hear of it, if anything. */
export interface Improvised {
  text: string;
  finding?: Finding;
}

/** Answers what the tape does not: pings, questions about eras, and misses. */
export class Improviser {
  readonly #options: ImproviserOptions;
  #foundEra: Era | undefined;
  /** One, or that there is none; not looked for before the peer pings. */
  #foundPing: [Entry | undefined] | undefined;

  constructor(options: ImproviserOptions) {
    this.#options = options;
  }

  answer(live: JsonText, request: Request): Improvised {
    const pong = request.method === 'ping' ? this.#pong(live) : undefined;
    if (pong !== undefined) return { text: pong };
    const { score, book, file } = this.#options;
    const isTaped = request.method !== 'ping' && book.holds(live);
    const reply = isTaped ? undefined : replyToProbe(request, this.#era, score.moves);
    if (reply) return { text: replyText(live, reply) };
    const made = this.#default(request);
    if (made) return { ...made, text: replyText(live, made.reply) };
    const identity = book.identify(live);
    const { error, ...said } = missOf({
      live: identity,
      params: paramsOf(request),
      entries: book.entries,
      file,
    });
    const isUnknown = book.entries.every(({ method }) => method !== request.method);
    const code = this.#era.modern && isUnknown ? METHOD_NOT_FOUND : error.code;
    return { text: replyText(live, { error: { ...error, code } }), finding: { kind: 'miss', ...said } };
  }

  /** Whether a notification belongs to the handshake, which the cassette leaves to us. */
  isOpening(method: string): boolean {
    const { score, isHandWritten = false } = this.#options;
    if (method !== 'notifications/initialized' || score.side === 'client' || this.#era.modern) return false;
    return isHandWritten || !hasRequest(score.moves, 'initialize');
  }

  /** What the cassette leaves out; a person is told once of each. */
  #default(request: Request): { reply: Reply; finding?: Finding } | undefined {
    const { score, file, isHandWritten } = this.#options;
    if (score.side === 'client') return undefined;
    const { modern } = this.#era;
    const made = defaultResponse(request, { moves: score.moves, file, modern, isHandWritten });
    if (made === undefined) return undefined;
    const { result, text } = made;
    return { reply: { result }, finding: { kind: 'default', text } };
  }

  get #era(): Era {
    const { score, discovered } = this.#options;
    this.#foundEra ??= { ...eraOf(score.moves), ...(discovered && { discovered }) };
    return this.#foundEra;
  }

  /** A recorded ping of the peer that was answered. */
  get #ping(): Move | undefined {
    const { score, book } = this.#options;
    const { answerOf } = score.links;
    this.#foundPing ??= [
      book.entries.find(({ method, move }) => method === 'ping' && answerOf.has(move.index)),
    ];
    return this.#foundPing[0]?.move;
  }

  /** Either side may ping at any time, and is answered from life: in the words of the tape, if it has any. */
  #pong(live: JsonText): string | undefined {
    const { score, rebinder } = this.#options;
    const ping = this.#ping;
    const pong = ping && score.moves[score.links.answerOf.get(ping.index)!];
    if (!ping?.json || !pong || !isSaid(pong)) return undefined;
    return rebinder.apply(pong, rebinder.bind(ping.json, live));
  }
}

/** The response to `request`, with its id as it came. */
export function replyText(request: JsonText, reply: Reply): string {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 0, ...reply });
  return text.replace('"id":0', () => `"id":${tokenAt(request, ['id'])}`);
}
