import type { CassetteEvent } from '../cassette/cassette.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import type { EventLinks } from './event-links.ts';

export interface KeptEvents {
  /** All events of the cassette. */
  events: readonly CassetteEvent[];
  /** Positions of those that are kept. */
  kept: ReadonlySet<number>;
  spans: EventLinks['spans'];
}

/**
 * Returns the delays of kept events that others were removed before, where they are no longer what the file says. What a removed event
 * took counts while something kept was under way, so that a slow answer stays as slow; it goes with the event where nothing was.
 */
export function keptDelays({ events, kept, spans }: KeptEvents): Map<number, Milliseconds> {
  const ends = new Map<number, number>();
  for (const [cause, effect] of spans)
    if (kept.has(cause) && kept.has(effect)) ends.set(cause, Math.max(ends.get(cause) ?? 0, effect));
  const delays = new Map<number, Milliseconds>();
  let before: number | undefined;
  /** Up to here something is under way. */
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
