import type { WireFrame } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import type { Tools } from './fault.ts';

/** Frames that leave one after the other, each so long after the one before it. */
export class WaitingLine {
  readonly #tools: Pick<Tools, 'next' | 'later'>;
  readonly #waiting: { frame: WireFrame; wait: Milliseconds }[] = [];

  constructor(tools: Pick<Tools, 'next' | 'later'>) {
    this.#tools = tools;
  }

  /** Lets `frame` leave `wait` after its predecessor: at once, if there is none and no wait. */
  add(frame: WireFrame, wait: Milliseconds = 0): void {
    if (this.#waiting.length === 0 && wait === 0) return this.#tools.next(frame);
    this.#waiting.push({ frame, wait });
    if (this.#waiting.length === 1) this.#await();
  }

  #await(): void {
    this.#tools.later(this.#waiting[0]!.wait, () => {
      this.#tools.next(this.#waiting.shift()!.frame);
      while (this.#waiting[0]?.wait === 0) this.#tools.next(this.#waiting.shift()!.frame);
      if (this.#waiting.length > 0) this.#await();
    });
  }
}
