import { isDeepStrictEqual } from 'node:util';
import type { Message } from './line.ts';

/** No message of a conversation takes so long, in milliseconds. */
const PATIENCE = 8_000;

/** What a side has heard and not yet been asked for. */
export class Inbox {
  readonly #who: string;
  #unread: Message[] = [];
  #waiting: (() => void) | undefined;

  constructor(who: string) {
    this.#who = who;
  }

  put(message: Message): void {
    this.#unread.push(message);
    this.#waiting?.();
  }

  /** Takes `expected` out, as soon as it is there. Streams may bring it before what was said first. */
  async take(expected: Message): Promise<void> {
    if (this.#found(expected)) return;
    let late: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        late = setTimeout(() => reject(new Error(this.#missing(expected))), PATIENCE);
        this.#waiting = () => this.#found(expected) && resolve();
      });
    } finally {
      clearTimeout(late);
      this.#waiting = undefined;
    }
  }

  #found(expected: Message): boolean {
    const index = this.#unread.findIndex((message) => isDeepStrictEqual(message, expected));
    if (index >= 0) this.#unread.splice(index, 1);
    return index >= 0;
  }

  /** What nobody asked for. */
  get rest(): readonly Message[] {
    return this.#unread;
  }

  #missing(expected: Message): string {
    const heard = this.#unread.map((message) => JSON.stringify(message)).join('\n');
    return `the ${this.#who} never heard\n${JSON.stringify(expected)}\nbut\n${heard}`;
  }
}
