import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { TokenBindings } from '../tokens/token-cursor-rewriter.ts';
import type { ActiveSequence } from './active-sequence.ts';
import type { DependencyScheduler } from './dependency-scheduler.ts';

const NO_CANCELS: readonly number[] = [];

/** Live requests being served. Live cancellations look up the affected sequences here. */
export class RequestsBeingServed {
  readonly #scheduler: DependencyScheduler;
  readonly #links: Links;
  /** Recorded cancellations of a recorded request. */
  readonly #recorded = new ListMap<number, number>();
  /** Active sequences of a live request, by its id. */
  readonly #runs = new Map<string, readonly ActiveSequence[]>();
  /** Id of the live request that a pending recorded cancellation would name. */
  readonly #cancels = new Map<number, string>();

  constructor(scheduler: DependencyScheduler, links: Links) {
    this.#scheduler = scheduler;
    this.#links = links;
    for (const [cancel, request] of links.cancelledRequestOf) {
      this.#recorded.add(request, cancel);
    }
  }

  get isServing(): boolean {
    return this.#runs.size > 0;
  }

  /** Starts the recorded sequences of `recorded` for the live request `id`. */
  serve(recorded: SessionEntry, id: string, bindings: TokenBindings): void {
    for (const cancel of this.#recorded.get(recorded.index) ?? NO_CANCELS) {
      if (!this.#scheduler.happened(cancel)) this.#cancels.set(cancel, id);
    }
    let runs: readonly ActiveSequence[] = [];
    let ended = 0;
    runs = this.#scheduler.open(recorded.index, bindings, () => {
      ended++;
      if (ended === runs.length && this.#runs.get(id) === runs) this.#runs.delete(id);
    });
    if (ended < runs.length) this.#runs.set(id, runs);
  }

  /**
   * Cancels the live request `id`, which may be answered already. Returns the recorded request if it was still being
   * served and was answered rather than cancelled in the cassette.
   */
  cancel(id: string): number | undefined {
    const runs = this.#runs.get(id) ?? [];
    for (const run of runs) this.#scheduler.cancel(run);
    for (const [cancel, request] of this.#cancels) {
      if (request !== id) continue;
      this.#cancels.delete(cancel);
      this.#scheduler.happen(cancel);
      return undefined;
    }
    const opens = runs[0]?.sequence.trigger;
    const isAnswered = opens !== undefined && this.#links.answerOf.has(opens) && !this.#recorded.has(opens);
    return isAnswered ? opens : undefined;
  }
}
