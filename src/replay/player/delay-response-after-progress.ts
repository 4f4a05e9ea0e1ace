import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';

/**
 * Gap between the progress of a request and its response over stdio. Both majors of the SDK forget the progress handler
 * of a request with its response, and call it for a notification only when all messages of the same read are handled.
 * A peer on a busy machine reads what came in several milliseconds at once.
 */
export const STDIO_PROGRESS_GAP: Milliseconds = 20;

/** Waits of responses, since progress of the same request was sent shortly before. */
export class ProgressGap {
  readonly #clock: Clock;
  readonly #gap: Milliseconds;
  /** Response of each progress notification, by entry index. */
  readonly #responseOf = new Map<number, number>();
  /** Time of the latest progress, by entry index of the response. */
  readonly #sentAt = new Map<number, Milliseconds>();

  constructor({ links }: Pick<ReplayPlan, 'links'>, clock: Clock, gap: Milliseconds) {
    this.#clock = clock;
    this.#gap = gap;
    for (const [request, reports] of links.progressOf) {
      const response = links.answerOf.get(request);
      if (response !== undefined) for (const report of reports) this.#responseOf.set(report, response);
    }
  }

  /** Notes that an entry was sent. */
  sent(entry: number): void {
    const response = this.#responseOf.get(entry);
    if (response !== undefined) this.#sentAt.set(response, this.#clock.now());
  }

  /** Returns how long an entry has to wait. */
  wait(entry: number): Milliseconds {
    const at = this.#sentAt.get(entry);
    return at === undefined ? 0 : Math.max(0, at + this.#gap - this.#clock.now());
  }
}
