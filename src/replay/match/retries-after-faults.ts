import type { Fired } from '../../faults/engine/fault-injector.ts';
import { observe } from '../../faults/messages/observe.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { takeUnhandled } from './handled-calls.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { RequestMatcher } from './request-matcher.ts';

/** Faults with which the response arrives whole, perhaps late or not alone. */
export const DELIVERING: ReadonlySet<string> = new Set([
  'latency',
  'clog',
  'throttle',
  'slice',
  'coalesce',
  'reorder',
  'order',
  'duplicate',
  'junk',
  'oversize',
  'stderr-flood',
  'slow-reader',
]);

/** Maximum number of live requests kept for later faults. */
const REMEMBERED_MAX = 10_000;

/**
 * Finds recorded requests that a live client may repeat. After a fault in a request or its response, the response may
 * be lost. The same request is then a retry rather than a miss. If the response has arrived, an equal request is the
 * next recorded one, and a retry only if there is none, or if the client has cancelled the first.
 */
export class RetriedRequests {
  /** Recorded request by live request id, as a JSON token. */
  readonly #entryOf = new Map<string, RecordedRequest>();
  /** Recorded requests that may be repeated once. */
  readonly #repeatable = new Set<RecordedRequest>();
  /** Recorded requests whose response arrived in spite of a fault. */
  readonly #delivered = new Set<RecordedRequest>();
  /** Method of live requests that a fault changed before the match, by id. */
  readonly #faultedEarly = new Map<string, string | undefined>();

  /** Returns the recorded request that a live request repeats according to `isSame`, and counts the use. */
  take(isSame: (entry: RecordedRequest) => boolean): RecordedRequest | undefined {
    return takeFrom(this.#repeatable, isSame);
  }

  /** Returns the same of requests whose response arrived, if no recorded request is left. */
  takeDelivered(isSame: (entry: RecordedRequest) => boolean): RecordedRequest | undefined {
    return takeFrom(this.#delivered, isSame);
  }

  /** Notes that the client has cancelled the live request `id`, whose response it did not wait for. */
  cancel(id: string): void {
    const entry = this.#entryOf.get(id);
    if (entry !== undefined && this.#delivered.delete(entry)) this.#repeatable.add(entry);
  }

  /** Stores the match of the live request `id` with `entry`. */
  addMatch(id: string, entry: RecordedRequest): void {
    this.#entryOf.delete(id);
    this.#entryOf.set(id, entry);
    if (this.#faultedEarly.get(id) === entry.method) this.#repeatable.add(entry);
    this.#faultedEarly.delete(id);
    if (this.#entryOf.size > REMEMBERED_MAX) this.#entryOf.delete(this.#entryOf.keys().next().value!);
  }

  /** Adds a fault in a client request or its response. The client may then repeat the request. */
  addFault({ id, method, from, fault }: Pick<Fired, 'id' | 'method' | 'from' | 'fault'>): void {
    // A sweep observes messages that arrive unchanged: an equal call after one of them is the next recorded call.
    if (id === undefined || fault === observe.name) return;
    const token = JSON.stringify(id);
    if (from === 'client') {
      this.#faultedEarly.set(token, method);
      return;
    }
    const entry = this.#entryOf.get(token);
    // A server request may use the same id.
    if (entry === undefined || entry.method !== method) return;
    (DELIVERING.has(fault) ? this.#delivered : this.#repeatable).add(entry);
  }
}

/**
 * Returns the recorded request that a live request stands for: one that it repeats after a fault, or else the next one.
 * `retries`: absent in sessions without faults.
 */
export function takeRecorded(
  matcher: RequestMatcher,
  live: JsonText,
  retries: RetriedRequests | undefined,
): RecordedRequest | undefined {
  const isSame = (candidate: RecordedRequest) => matcher.matches(candidate, live);
  return retries?.take(isSame) ?? takeUnhandled(matcher, live) ?? retries?.takeDelivered(isSame);
}

function takeFrom(
  entries: Set<RecordedRequest>,
  isSame: (entry: RecordedRequest) => boolean,
): RecordedRequest | undefined {
  for (const entry of entries) {
    if (!isSame(entry)) continue;
    entries.delete(entry);
    entry.uses++;
    return entry;
  }
  return undefined;
}
