import type { WireFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { Queue } from '../../kernel/queue.ts';
import type { FaultContext } from '../fault.ts';

/** Frames that leave one after the other, each so long after the one before it was due: late timers do not add up. */
export class DelayQueue {
  readonly #tools: Pick<FaultContext, 'next' | 'later' | 'clock'>;
  readonly #waiting = new Queue<{ frame: WireFrame; due: Milliseconds }>();

  constructor(tools: Pick<FaultContext, 'next' | 'later' | 'clock'>) {
    this.#tools = tools;
  }

  /** Nobody waits in it. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Lets `frame` leave `wait` after its predecessor: at once, if there is none and no wait. */
  add(frame: WireFrame, wait: Milliseconds = 0): void {
    const { last } = this.#waiting;
    if (last === undefined && wait === 0) return this.#tools.next(frame);
    const due = (last?.due ?? this.#tools.clock.now()) + wait;
    this.#waiting.add({ frame, due });
    if (last === undefined) this.#await();
  }

  #await(): void {
    const { clock, later, next } = this.#tools;
    later(this.#waiting.first!.due - clock.now(), () => {
      do next(this.#waiting.take()!.frame);
      while (this.#waiting.first && this.#waiting.first.due <= clock.now());
      if (this.#waiting.size > 0) this.#await();
    });
  }
}
