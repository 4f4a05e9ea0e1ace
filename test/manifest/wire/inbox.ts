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
    const late = AbortSignal.timeout(PATIENCE);
    for (;;) {
      const index = this.#unread.findIndex((message) => isDeepStrictEqual(message, expected));
      if (index >= 0) return void this.#unread.splice(index, 1);
      await new Promise<void>((resolve, reject) => {
        this.#waiting = resolve;
        late.onabort = () => reject(new Error(this.#missing(expected)));
      });
    }
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
