import { isMessageEntry, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { parsePointer } from '../../match/ignore-rules.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { paramsOf, type Request } from '../../protocol/message.ts';
import { scalarKeyAt, valueAt } from '../../protocol/scalar-key.ts';
import type { Finding } from '../findings/finding.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { TokenRewriter } from '../tokens/token-cursor-rewriter.ts';
import { hasRequest, inferredResponse } from './inferred-responses.ts';
import { nearMissOf } from './near-miss.ts';
import {
  METHOD_NOT_FOUND,
  type ProtocolGeneration,
  protocolGeneration,
  type ResultOrError,
  responseToProbe,
} from './protocol-generation.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { RequestMatcher } from './request-matcher.ts';

export interface DefaultResponderOptions {
  plan: ReplayPlan;
  matcher: RequestMatcher;
  rewriter: TokenRewriter;
  /** The cassette's name, for messages. */
  file: string;
  /** The recorded response to `server/discover` from another cassette. */
  discovered?: ResultOrError | undefined;
  /** Whether the cassette was written by hand. Missing responses are then inferred from other entries. */
  isHandWritten?: boolean | undefined;
  /** Returns advice about a request that the cassette lacks. Absent: the advice is to correct the cassette. */
  missAdvice?: ((request: Request) => string) | undefined;
}

/** The text of an immediate response, perhaps with a finding to report. */
export interface DefaultResponse {
  text: string;
  finding?: Finding;
}

/** Answers requests missing in the cassette: pings, probes for the protocol generation, inferred responses, misses. */
export class DefaultResponder {
  readonly #options: DefaultResponderOptions;
  #foundGeneration: ProtocolGeneration | undefined;
  /** Holds the recorded ping, if any. Undefined until the peer's first ping. */
  #foundPing: [RecordedRequest | undefined] | undefined;

  constructor(options: DefaultResponderOptions) {
    this.#options = options;
  }

  answer(live: JsonText, request: Request): DefaultResponse {
    const pingResponse = request.method === 'ping' ? this.#recordedPingResponse(live) : undefined;
    if (pingResponse !== undefined) return { text: pingResponse };
    const { plan, matcher, file, isHandWritten = false, missAdvice } = this.#options;
    const isRecorded = request.method !== 'ping' && matcher.has(live);
    const reply = isRecorded ? undefined : responseToProbe(request, this.#generation, plan.entries);
    if (reply) return { text: responseText(live, reply) };
    const inferred = this.#inferredResponse(request);
    if (inferred) return { ...inferred, text: responseText(live, inferred.reply) };
    const identity = matcher.identify(live);
    const { error, ...said } = nearMissOf({
      live: identity,
      params: paramsOf(request),
      requests: matcher.requests,
      withOtherSecrets: matcher.withOtherSecrets(live),
      secretDifferences: (recorded) => matcher.secretDifferences(recorded, live),
      isReturned: ({ entry }, place) => isReturned(plan.entries, entry, place),
      file,
      isHandWritten,
      advice: missAdvice?.(request),
    });
    const isUnknown = matcher.requests.every(({ method }) => method !== request.method);
    const code = this.#generation.modern && isUnknown ? METHOD_NOT_FOUND : error.code;
    return { text: responseText(live, { error: { ...error, code } }), finding: { kind: 'miss', ...said } };
  }

  /** Reports whether a notification belongs to a handshake missing in the cassette. */
  isHandshakeNotification(method: string): boolean {
    const { plan, isHandWritten = false } = this.#options;
    if (method !== 'notifications/initialized' || plan.side === 'client' || this.#generation.modern) return false;
    return isHandWritten || !hasRequest(plan.entries, 'initialize');
  }

  /** Returns a response inferred from the cassette, with its finding. */
  #inferredResponse(request: Request): { reply: ResultOrError; finding?: Finding } | undefined {
    const { plan, file, isHandWritten } = this.#options;
    if (plan.side === 'client') return undefined;
    const { modern } = this.#generation;
    const inferred = inferredResponse(request, { entries: plan.entries, file, modern, isHandWritten });
    if (inferred === undefined) return undefined;
    const { result, text } = inferred;
    return { reply: { result }, finding: { kind: 'default', text } };
  }

  get #generation(): ProtocolGeneration {
    const { plan, discovered } = this.#options;
    this.#foundGeneration ??= { ...protocolGeneration(plan.entries), ...(discovered && { discovered }) };
    return this.#foundGeneration;
  }

  /** First recorded ping of the peer that received a response. */
  get #ping(): SessionEntry | undefined {
    const { plan, matcher } = this.#options;
    const { answerOf } = plan.links;
    this.#foundPing ??= [matcher.requests.find(({ method, entry }) => method === 'ping' && answerOf.has(entry.index))];
    return this.#foundPing[0]?.entry;
  }

  /** Returns the recorded response to a ping. Both sides may ping at any time, so the recorded order is ignored. */
  #recordedPingResponse(live: JsonText): string | undefined {
    const { plan, rewriter } = this.#options;
    const ping = this.#ping;
    const pingResponse = ping && plan.entries[plan.links.answerOf.get(ping.index)!];
    if (!ping?.json || !pingResponse || !isMessageEntry(pingResponse)) return undefined;
    return rewriter.apply(pingResponse, rewriter.bind(ping.json, live));
  }
}

/** Returns the text of a response to `request`. The id keeps its JSON token. */
export function responseText(request: JsonText, reply: ResultOrError): string {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 0, ...reply });
  return text.replace('"id":0', () => `"id":${scalarKeyAt(request, ['id'])}`);
}

/** Reports whether an earlier answer of the cassette has an id that a recorded request sends at a place. */
function isReturned(entries: readonly SessionEntry[], { index, message }: SessionEntry, place: string): boolean {
  const value = message === undefined ? undefined : valueAt(message, parsePointer(place));
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (!LIKE_AN_ID.test(text)) return false;
  return entries.slice(0, index).some(({ from, json }) => from === 'server' && json?.text.includes(text));
}

/** A word with a digit that is hardly equal to another one by chance. A date is: a client often makes up that of today. */
const LIKE_AN_ID = /^(?=.*\d)(?!\d{4}-\d\d-\d\d(?:T|$))[\w:/.-]{4,}$/;
