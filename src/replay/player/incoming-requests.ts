import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { Move } from '../../cassette/correlate/session-entries.ts';
import type { Bindings } from '../tokens/token-rewriter.ts';
import type { Run, Stage } from './scheduler.ts';

const NO_CANCELS: readonly number[] = [];

/** The live requests that are being served, so that a live cancel finds what it stops. */
export class Serving {
  readonly #stage: Stage;
  readonly #links: Links;
  /** Recorded request → the cancels that name it. */
  readonly #taped = new Map<number, number[]>();
  /** Id of a live request → the runs that serve it. */
  readonly #runs = new Map<string, readonly Run[]>();
  /** Recorded cancel that has not happened → id of the live request that it would name. */
  readonly #cancels = new Map<number, string>();

  constructor(stage: Stage, links: Links) {
    this.#stage = stage;
    this.#links = links;
    for (const [cancel, request] of links.cancelledBy) {
      this.#taped.set(request, [...(this.#taped.get(request) ?? []), cancel]);
    }
  }

  get isServing(): boolean {
    return this.#runs.size > 0;
  }

  /** Starts what the tape has for `recorded`, for the live request `id`. */
  serve(recorded: Move, id: string, bindings: Bindings): void {
    for (const cancel of this.#taped.get(recorded.index) ?? NO_CANCELS) {
      if (!this.#stage.happened(cancel)) this.#cancels.set(cancel, id);
    }
    let runs: readonly Run[] = [];
    let ended = 0;
    runs = this.#stage.open(recorded.index, bindings, () => {
      ended++;
      if (ended === runs.length && this.#runs.get(id) === runs) this.#runs.delete(id);
    });
    if (ended < runs.length) this.#runs.set(id, runs);
  }

  /**
   * The live peer cancelled its request `id`, which may have been answered already. Returns the recorded request where it
   * was still being served, and was answered and not cancelled in the cassette.
   */
  cancel(id: string): number | undefined {
    const runs = this.#runs.get(id) ?? [];
    for (const run of runs) this.#stage.cancel(run);
    for (const [cancel, request] of this.#cancels) {
      if (request !== id) continue;
      this.#cancels.delete(cancel);
      this.#stage.happen(cancel);
      return undefined;
    }
    const opens = runs[0]?.lane.opens;
    const isAnswered = opens !== undefined && this.#links.answerOf.has(opens) && !this.#taped.has(opens);
    return isAnswered ? opens : undefined;
  }
}
