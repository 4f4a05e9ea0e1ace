/** List node: a request, and the previous request with the same key from another conversation. */
interface Made {
  conversation: number | undefined;
  request: number;
  before: Made | undefined;
}

/** Requests by key (id or token) and conversation. The latest request of a conversation counts. */
export class RequestIndex {
  /** Latest request of each key, usually the only one. */
  readonly #byKey = new Map<string, Made>();

  add(key: string, conversation: number | undefined, request: number): void {
    let before = this.#byKey.get(key);
    if (before !== undefined) {
      this.remove(key, conversation);
      before = this.#byKey.get(key);
    }
    this.#byKey.set(key, { conversation, request, before });
  }

  /** Returns the request of a conversation. */
  in(key: string, conversation: number | undefined): number | undefined {
    let made = this.#byKey.get(key);
    while (made !== undefined && made.conversation !== conversation) made = made.before;
    return made?.request;
  }

  /** Returns the latest request of any conversation that `counts` accepts. */
  latest(key: string, counts: (request: number) => boolean = () => true): number | undefined {
    let made = this.#byKey.get(key);
    while (made !== undefined && !counts(made.request)) made = made.before;
    return made?.request;
  }

  /** Removes the request of a conversation. */
  remove(key: string, conversation: number | undefined): void {
    let after: Made | undefined;
    let made = this.#byKey.get(key);
    while (made !== undefined && made.conversation !== conversation) {
      after = made;
      made = made.before;
    }
    if (made === undefined) return;
    if (after !== undefined) after.before = made.before;
    else if (made.before === undefined) this.#byKey.delete(key);
    else this.#byKey.set(key, made.before);
  }
}
