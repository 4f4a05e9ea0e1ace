import { isMessageEntry, type SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { paramsOf, type Request } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import type { Finding } from '../findings/finding.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { TokenRewriter } from '../tokens/token-rewriter.ts';
import { hasRequest, inferredResponse } from './inferred-responses.ts';
import { missOf } from './near-miss.ts';
import { type ProtocolGeneration, protocolGeneration, type Reply, replyToProbe } from './protocol-generation.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { RequestMatcher } from './request-matcher.ts';

export interface DefaultResponderOptions {
  plan: ReplayPlan;
  matcher: RequestMatcher;
  rewriter: TokenRewriter;
  /** The cassette's name, for messages. */
  file: string;
  /** The recorded answer to `server/discover`, where it lies in another cassette. */
  discovered?: Reply | undefined;
  /** No program recorded the cassette: what it leaves out is answered from what it has. */
  isHandWritten?: boolean | undefined;
}

/** 2026-07-28, "Error Handling": what a server has no method for it says so, over HTTP with a status of its own. */
const METHOD_NOT_FOUND = -32601;

/** What is said at once, and what a person must hear of it, if anything. */
export interface DefaultReply {
  text: string;
  finding?: Finding;
}

/** Answers what the cassette does not: pings, questions about eras, and misses. */
export class DefaultResponder {
  readonly #options: DefaultResponderOptions;
  #foundEra: ProtocolGeneration | undefined;
  /** One, or that there is none; not looked for before the peer pings. */
  #foundPing: [RecordedRequest | undefined] | undefined;

  constructor(options: DefaultResponderOptions) {
    this.#options = options;
  }

  answer(live: JsonText, request: Request): DefaultReply {
    const pong = request.method === 'ping' ? this.#pong(live) : undefined;
    if (pong !== undefined) return { text: pong };
    const { plan, matcher, file } = this.#options;
    const isRecorded = request.method !== 'ping' && matcher.holds(live);
    const reply = isRecorded ? undefined : replyToProbe(request, this.#era, plan.entries);
    if (reply) return { text: replyText(live, reply) };
    const made = this.#default(request);
    if (made) return { ...made, text: replyText(live, made.reply) };
    const identity = matcher.identify(live);
    const { error, ...said } = missOf({
      live: identity,
      params: paramsOf(request),
      requests: matcher.requests,
      file,
    });
    const isUnknown = matcher.requests.every(({ method }) => method !== request.method);
    const code = this.#era.modern && isUnknown ? METHOD_NOT_FOUND : error.code;
    return { text: replyText(live, { error: { ...error, code } }), finding: { kind: 'miss', ...said } };
  }

  /** Whether a notification belongs to the handshake, which the cassette leaves to us. */
  isOpening(method: string): boolean {
    const { plan, isHandWritten = false } = this.#options;
    if (method !== 'notifications/initialized' || plan.side === 'client' || this.#era.modern) return false;
    return isHandWritten || !hasRequest(plan.entries, 'initialize');
  }

  /** What the cassette leaves out; a person is told once of each. */
  #default(request: Request): { reply: Reply; finding?: Finding } | undefined {
    const { plan, file, isHandWritten } = this.#options;
    if (plan.side === 'client') return undefined;
    const { modern } = this.#era;
    const made = inferredResponse(request, { entries: plan.entries, file, modern, isHandWritten });
    if (made === undefined) return undefined;
    const { result, text } = made;
    return { reply: { result }, finding: { kind: 'default', text } };
  }

  get #era(): ProtocolGeneration {
    const { plan, discovered } = this.#options;
    this.#foundEra ??= { ...protocolGeneration(plan.entries), ...(discovered && { discovered }) };
    return this.#foundEra;
  }

  /** A recorded ping of the peer that was answered. */
  get #ping(): SessionEntry | undefined {
    const { plan, matcher } = this.#options;
    const { answerOf } = plan.links;
    this.#foundPing ??= [matcher.requests.find(({ method, entry }) => method === 'ping' && answerOf.has(entry.index))];
    return this.#foundPing[0]?.entry;
  }

  /** Either side may ping at any time, and is answered from life: in the words of the cassette, if it has any. */
  #pong(live: JsonText): string | undefined {
    const { plan, rewriter } = this.#options;
    const ping = this.#ping;
    const pong = ping && plan.entries[plan.links.answerOf.get(ping.index)!];
    if (!ping?.json || !pong || !isMessageEntry(pong)) return undefined;
    return rewriter.apply(pong, rewriter.bind(ping.json, live));
  }
}

/** The response to `request`, with its id as it came. */
export function replyText(request: JsonText, reply: Reply): string {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 0, ...reply });
  return text.replace('"id":0', () => `"id":${tokenAt(request, ['id'])}`);
}
