import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** So many live requests are remembered for faults that may still be injected into their exchanges. */
const REMEMBERED_MAX = 10_000;

/**
 * Knows which recorded requests a live client may make once more: those into whose exchange a fault was injected. Their
 * answer may not have arrived, so that the same request again is a retry and no miss.
 */
export class RetriedRequests {
  /** Id of a live request, as JSON → the recorded request that it stood for. */
  readonly #entryOf = new Map<string, RecordedRequest>();
  /** Those that may be made once more. */
  readonly #again = new Set<RecordedRequest>();
  /** Ids of live requests that a fault met before they arrived, and their methods. */
  readonly #ahead = new Map<string, string | undefined>();

  /** Takes the recorded request that a live one, which `isSame` compares, makes once more. */
  take(isSame: (entry: RecordedRequest) => boolean): RecordedRequest | undefined {
    for (const entry of this.#again) {
      if (!isSame(entry)) continue;
      this.#again.delete(entry);
      entry.uses++;
      return entry;
    }
    return undefined;
  }

  /** The live request `id` was matched with `entry`. */
  served(id: string, entry: RecordedRequest): void {
    this.#entryOf.delete(id);
    this.#entryOf.set(id, entry);
    if (this.#ahead.get(id) === entry.method) this.#again.add(entry);
    this.#ahead.delete(id);
    if (this.#entryOf.size > REMEMBERED_MAX) this.#entryOf.delete(this.#entryOf.keys().next().value!);
  }

  /** A fault was injected into a message. Where that is a request of the client, or its answer, it may be made again. */
  faulted({ id, method, from }: Pick<Fired, 'id' | 'method' | 'from'>): void {
    if (id === undefined) return;
    const token = JSON.stringify(id);
    if (from === 'client') {
      this.#ahead.set(token, method);
      return;
    }
    const entry = this.#entryOf.get(token);
    // A request of the server may have the same id, in its own id space.
    if (entry !== undefined && entry.method === method) this.#again.add(entry);
  }
}
