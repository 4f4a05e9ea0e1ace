import type { Cassette } from '../../cassette/cassette.ts';
import { keptWithout } from '../../edit/cut/kept-without.ts';
import { closureOf, eventLinks, inverseOf } from '../../edit/event-dependencies.ts';
import { sessionSections } from '../../edit/sessions-in-cassette.ts';

/** Events that leave a cassette together. */
export interface CassettePart {
  /** Positions of the events, in order. */
  events: readonly number[];
  /** Whether all events of the part come after the targets. */
  isAfterTarget: boolean;
  /** Whether the server sent all events without a request: notifications, and lines that are not messages. */
  isUnasked: boolean;
}

/** Removable parts of a cassette. None contains a target. */
export interface CassetteParts {
  parts: readonly CassettePart[];
  /** Returns the positions of the remaining events after the removal of some parts. */
  without(parts: readonly CassettePart[]): number[];
}

/**
 * Divides a cassette into removable parts: calls with all events in them, notifications, and complete sessions without
 * a target. Handshakes stay, as in `cut`. The events at `targets` stay with all events that they depend on.
 */
export function cassetteParts(cassette: Cassette, targets: readonly number[]): CassetteParts {
  const links = eventLinks(cassette);
  const sections = sessionSections(cassette, links);
  const { of, handshakes } = sections;
  const dependent = inverseOf(links.needs);
  const sessions = Array.from({ length: sections.count }, (): number[] => []);
  for (const [event, session] of of.entries()) sessions[session]!.push(event);
  const single = of.flatMap((session, event) => (handshakes[session]!.has(event) ? [] : [[event]]));
  const last = Math.max(...targets);
  const parts = new Map<string, CassettePart>();
  for (const dropped of [...single, ...sessions]) {
    const gone = closureOf(dependent, dropped);
    if (targets.some((target) => gone.has(target))) continue;
    const events = [...gone].sort(ascending);
    const isUnasked = events.every((event) => cassette.events[event]!.frame.from === 'server');
    parts.set(events.join(' '), { events, isAfterTarget: events[0]! > last, isUnasked });
  }
  return {
    // Nested parts are also tried alone.
    parts: [...parts.values()].sort((one, other) => one.events[0]! - other.events[0]!),
    without(some) {
      const dropped = new Set(some.flatMap(({ events }) => events));
      return [...keptWithout(dropped, links, sections)].sort(ascending);
    },
  };
}

function ascending(one: number, other: number): number {
  return one - other;
}
