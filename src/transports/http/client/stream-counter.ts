import type { StreamCounts } from './lost-stream-counts.ts';
import type { ResumableExchange, ResumableExchangeOptions } from './resumable-exchange.ts';

/** Counts the event streams of a session that the server ends too early. */
export class StreamCounter implements StreamCounts {
  lost = 0;
  resumed = 0;
  #isLeaving = false;

  /** Stops counting: the client ends its session, and the server may end all streams. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Returns hooks of an exchange. `isWaiting` reports whether more was expected on its stream. */
  hooks(
    isWaiting: (line: ResumableExchange) => boolean,
  ): Pick<ResumableExchangeOptions, 'streamEnded' | 'streamResumed'> {
    return {
      streamEnded: (line) => {
        if (!this.#isLeaving && isWaiting(line)) this.lost++;
      },
      streamResumed: () => {
        this.resumed++;
      },
    };
  }
}
