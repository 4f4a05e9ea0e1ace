import type { Milliseconds } from '../../../kernel/clock.ts';
import { isRequest } from '../../../protocol/message.ts';
import type { PlayedSession } from '../play-session.ts';

/** Part of a request's duration until the next message is sent, so that the request is still in flight then. */
const PAUSE = { part: 1 / 4, most: 50 };
const UNHURRIED_PAUSE = { part: 1 / 2, most: 200 };
/** Shortest pause. A server that answers sooner gets the next message at once: a timer would come after the answer. */
const LEAST: Milliseconds = 2;
/** Pause before any duration is known, when a server is still slow. */
const FIRST_PAUSE: Milliseconds = 100;

/** Durations of a client's requests that are alone with the server. Requests in flight at once may delay each other. */
export class RequestDurations {
  /** Line of the request → its shortest duration. */
  readonly #shortest = new Map<number, Milliseconds>();

  /** Adds those of a session in which each request follows the answer to the one before. */
  add({ run }: Pick<PlayedSession, 'run'>): void {
    for (const { request, duration, refusal } of run.exchanges) {
      if (refusal !== undefined || !isRequest(request.message)) continue;
      this.#shortest.set(request.line, Math.min(duration, this.#shortest.get(request.line) ?? duration));
    }
  }

  /** Returns the time from the message of a line to the next one. The message may be no request. */
  pauseAfter(line: number, isUnhurried: boolean): Milliseconds {
    if (this.#shortest.size === 0) return FIRST_PAUSE;
    const { part, most } = isUnhurried ? UNHURRIED_PAUSE : PAUSE;
    const pause = part * (this.#shortest.get(line) ?? Math.min(...this.#shortest.values()));
    return pause < LEAST ? 0 : Math.min(most, pause);
  }
}
