import type { CassetteEvent } from '../cassette/cassette.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import type { EventLinks } from './event-dependencies.ts';

export interface KeptEvents {
  /** Events of the cassette. */
  events: readonly CassetteEvent[];
  /** Positions of the kept events. */
  kept: ReadonlySet<number>;
  spans: EventLinks['spans'];
}

/**
 * Returns changed delays of kept events that follow removed ones. The duration of a removed event is added to the next
 * delay while a kept call is in progress, so that a slow answer stays slow. Otherwise the duration is removed with the
 * event.
 */
export function keptDelays({ events, kept, spans }: KeptEvents): Map<number, Milliseconds> {
  const ends = new Map<number, number>();
  for (const [cause, effect] of spans)
    if (kept.has(cause) && kept.has(effect)) ends.set(cause, Math.max(ends.get(cause) ?? 0, effect));
  const delays = new Map<number, Milliseconds>();
  let before: number | undefined;
  /** Position where the latest kept call ends. */
  let busyUntil = -1;
  for (const [index, { frame }] of events.entries()) {
    if (!kept.has(index)) continue;
    if (before !== undefined && before < index - 1 && busyUntil >= index) {
      const delay = frame.at - events[before]!.frame.at;
      if (delay !== frame.at - events[index - 1]!.frame.at) delays.set(index, delay);
    }
    before = index;
    busyUntil = Math.max(busyUntil, ends.get(index) ?? -1);
  }
  return delays;
}
