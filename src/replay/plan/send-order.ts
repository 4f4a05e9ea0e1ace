import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { PlanStep } from './steps-by-trigger.ts';

/** Messages of the client that are sent in the order of the cassette, whatever the server sends meanwhile. */
export interface SendOrder {
  /** Position of the event of each → minimum time from it to the next one. */
  pauses: ReadonlyMap<number, Milliseconds>;
}

/** Adds to each step of a {@link SendOrder} that it follows the one before. */
export class OrderedSteps {
  readonly #order: SendOrder | undefined;
  #previous: SessionEntry | undefined;

  constructor(order: SendOrder | undefined) {
    this.#order = order;
  }

  /** Returns the step for the next entry of the cassette. */
  next(step: PlanStep, entry: SessionEntry): PlanStep {
    if (this.#order?.pauses.has(entry.event) !== true) return step;
    const previous = this.#previous;
    this.#previous = entry;
    // The messages of a batch are sent together.
    if (previous === undefined || previous.event === entry.event) return step;
    return { ...step, needs: [...step.needs, previous.index], pause: this.#order.pauses.get(previous.event)! };
  }
}
