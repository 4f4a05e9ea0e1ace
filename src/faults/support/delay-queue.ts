import type { WireFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { Queue } from '../../kernel/queue-and-binary-search.ts';
import type { FaultContext } from '../fault.ts';

/**
 * Queue that sends frames one after the other, each with a delay after its predecessor's due time. Late timers
 * therefore do not add up.
 */
export class DelayQueue {
  readonly #tools: Pick<FaultContext, 'next' | 'later' | 'clock'>;
  readonly #waiting = new Queue<{ frame: WireFrame; due: Milliseconds }>();

  constructor(tools: Pick<FaultContext, 'next' | 'later' | 'clock'>) {
    this.#tools = tools;
  }

  /** Whether the queue holds no frame. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Sends `frame` when `wait` has passed after its predecessor. Without a predecessor and a wait, it is sent
   * immediately.
   */
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
