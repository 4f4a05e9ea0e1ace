/** Requests by their sender and id or token, each in the conversation that it was made in: the latest there counts. */
export class Requests {
  readonly #byKey = new Map<string, Map<number | undefined, number>>();

  add(key: string, conversation: number | undefined, request: number): void {
    const made = this.#byKey.get(key) ?? new Map<number | undefined, number>();
    // Last in the order of the map, too.
    made.delete(conversation);
    this.#byKey.set(key, made.set(conversation, request));
  }

  /** The one of that conversation. */
  in(key: string, conversation: number | undefined): number | undefined {
    return this.#byKey.get(key)?.get(conversation);
  }

  /** The latest of any conversation that `counts`. */
  latest(key: string, counts: (request: number) => boolean = () => true): number | undefined {
    return [...(this.#byKey.get(key)?.values() ?? [])].findLast(counts);
  }

  /** It counts no more. */
  remove(key: string, conversation: number | undefined): void {
    this.#byKey.get(key)?.delete(conversation);
  }
}
