/** A request, linked to the earlier request of equal key in another exchange. */
interface Made {
  conversation: number | undefined;
  request: number;
  before: Made | undefined;
}

/** Requests by sender and id or token, per exchange. The latest in an exchange counts. */
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

  /** The one of that conversation. */
  in(key: string, conversation: number | undefined): number | undefined {
    let made = this.#byKey.get(key);
    while (made !== undefined && made.conversation !== conversation) made = made.before;
    return made?.request;
  }

  /** The latest of any conversation that `counts`. */
  latest(key: string, counts: (request: number) => boolean = () => true): number | undefined {
    let made = this.#byKey.get(key);
    while (made !== undefined && !counts(made.request)) made = made.before;
    return made?.request;
  }

  /** It counts no more. */
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
