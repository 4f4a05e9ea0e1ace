import type { Milliseconds } from '../../kernel/clock.ts';
import { isRequest } from '../../protocol/message.ts';
import type { ServerRun } from '../../verify/run/run-recorded-client.ts';
import type { Observations } from './observed-server.ts';

/** Time in which the server works on a request, measured in sessions without misbehaviour. */
export interface InFlightWindow {
  /** Shortest time from the request to its answer. */
  duration: Milliseconds;
  /** The server sends other messages before the answer, such as progress, while nothing else is pending. */
  hasMessages: boolean;
  /** HTTP: an event with an id comes before the answer, so that the client can resume its stream. */
  isResumable?: boolean;
}

/** Event of a request → its window. Requests without an answer have none. */
export type InFlightWindows = ReadonlyMap<number, InFlightWindow>;

interface ObservedSession {
  run: ServerRun;
  seen: Observations;
}

const DELAY_MAX: Milliseconds = 1_000;

/** Returns the windows of all requests that these sessions answered. `known`: windows from earlier sessions. */
export function inFlightWindows(
  sessions: readonly ObservedSession[],
  known: InFlightWindows = new Map(),
): InFlightWindows {
  const windows = new Map(known);
  for (const { run, seen } of sessions) {
    for (const { request, duration, refusal } of run.exchanges) {
      if (refusal !== undefined || !isRequest(request.message)) continue;
      const {
        duration: shortest = duration,
        hasMessages = true,
        isResumable = !windows.has(request.event),
      } = windows.get(request.event) ?? {};
      const isPreceded = seen.precededAnswers.has(JSON.stringify(request.message.id));
      windows.set(request.event, {
        duration: Math.min(duration, shortest),
        hasMessages: hasMessages && isPreceded,
        ...(seen.resumable.has(JSON.stringify(request.message.id)) && isResumable && { isResumable }),
      });
    }
  }
  return windows;
}

/** Returns the delay from a request to half its window, limited to one second. */
export function delayIntoWindow({ duration }: Pick<InFlightWindow, 'duration'>): Milliseconds {
  return Math.min(Math.round(duration / 2), DELAY_MAX);
}

/**
 * Reports whether a session answered the request of an event too early for a misbehaviour in flight: before the middle
 * of its window, or before any other message.
 */
export function isAnsweredBefore(event: number, window: InFlightWindow, { run, seen }: ObservedSession): boolean {
  const exchange = run.exchanges.find(({ request }) => request.event === event);
  if (exchange === undefined || exchange.refusal !== undefined || !isRequest(exchange.request.message)) return false;
  if (window.hasMessages) return !seen.precededAnswers.has(JSON.stringify(exchange.request.message.id));
  return exchange.duration < delayIntoWindow(window);
}
