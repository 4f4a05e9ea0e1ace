import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** Number of live requests that are kept for later faults. */
const REMEMBERED_MAX = 10_000;

/**
 * Finds recorded requests that a live client may repeat: a fault was injected into the request or its response, so the
 * response may not have arrived. The same request again is then a retry, not a miss.
 */
export class RetriedRequests {
  /** Id of a live request, as a JSON token → its recorded request. */
  readonly #entryOf = new Map<string, RecordedRequest>();
  /** Recorded requests that may be repeated once. */
  readonly #repeatable = new Set<RecordedRequest>();
  /** Id → method of live requests that a fault changed before they were matched. */
  readonly #faultedEarly = new Map<string, string | undefined>();

  /** Returns the recorded request that a live one repeats, as `isSame` compares them, and counts the use. */
  take(isSame: (entry: RecordedRequest) => boolean): RecordedRequest | undefined {
    for (const entry of this.#repeatable) {
      if (!isSame(entry)) continue;
      this.#repeatable.delete(entry);
      entry.uses++;
      return entry;
    }
    return undefined;
  }

  /** Stores that the live request `id` was matched with `entry`. */
  addMatch(id: string, entry: RecordedRequest): void {
    this.#entryOf.delete(id);
    this.#entryOf.set(id, entry);
    if (this.#faultedEarly.get(id) === entry.method) this.#repeatable.add(entry);
    this.#faultedEarly.delete(id);
    if (this.#entryOf.size > REMEMBERED_MAX) this.#entryOf.delete(this.#entryOf.keys().next().value!);
  }

  /** Adds a fault. A client request may be repeated after a fault hit it or its response. */
  addFault({ id, method, from }: Pick<Fired, 'id' | 'method' | 'from'>): void {
    if (id === undefined) return;
    const token = JSON.stringify(id);
    if (from === 'client') {
      this.#faultedEarly.set(token, method);
      return;
    }
    const entry = this.#entryOf.get(token);
    // A server request may use the same id.
    if (entry !== undefined && entry.method === method) this.#repeatable.add(entry);
  }
}
