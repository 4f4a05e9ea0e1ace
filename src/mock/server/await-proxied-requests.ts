import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { HttpHandler } from '../../replay/http/http-mock-handler.ts';

/** Counter of requests on their way from a proxy to its endpoint. */
export class InTransitRequests {
  readonly #clock: Clock;
  #count = 0;
  #arrived: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request that the proxy has received. */
  noteArrival(): void {
    this.#count++;
  }

  /** Returns the endpoint, with its requests counted as arrived. */
  counted(serve: HttpHandler): HttpHandler {
    return (request, reply) => {
      // A fault may have sent it twice.
      this.#count = Math.max(0, this.#count - 1);
      if (this.#count === 0) this.#arrived?.();
      return serve(request, reply);
    };
  }

  /** Resolves when all requests have arrived, or after `limit`. */
  arrival(limit: Milliseconds): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.#clock.after(limit, resolve);
      this.#arrived = () => {
        stop();
        resolve();
      };
    });
  }
}
