import type { Item } from './report-data-types.ts';

/**
 * Finds the client call during which the server sent a request: the call of the same HTTP exchange, or the only call in
 * flight.
 */
export class EnclosingCalls {
  readonly #inFlight = new Set<number>();
  readonly #carried = new Map<number | undefined, Set<number>>();

  /** Processes one item, and sets `within` on a server request. Call it for every position in order. */
  pass(index: number, items: readonly Item[]): void {
    const item = items[index]!;
    const { kind, from, request, stream } = item;
    if (kind === 'request' && from === 'client') {
      this.#inFlight.add(index);
      const ofStream = this.#carried.get(stream);
      if (ofStream) ofStream.add(index);
      else this.#carried.set(stream, new Set([index]));
    } else if (kind === 'request') {
      const ofStream = stream === undefined ? undefined : this.#carried.get(stream);
      const candidates = ofStream === undefined || ofStream.size === 0 ? this.#inFlight : ofStream;
      const [only] = candidates;
      if (candidates.size === 1) item.within = only!;
    } else if (request !== undefined) {
      const { answer, cancel, stream: of } = items[request]!;
      if (index !== answer && index !== cancel) return;
      this.#inFlight.delete(request);
      this.#carried.get(of)?.delete(request);
    }
  }
}
