import { closureOf, type EventLinks, inverseOf } from '../event-dependencies.ts';
import type { SessionSections } from '../sessions-in-cassette.ts';

/** Returns the events playable without `dropped`. A session keeps its handshake as long as calls remain in it. */
export function keptWithout(dropped: ReadonlySet<number>, links: EventLinks, sections: SessionSections): Set<number> {
  const { of, handshakes, frames } = sections;
  const dependent = inverseOf(links.needs);
  const isHandshake = (event: number) => handshakes[of[event]!]!.has(event);
  const gone = closureOf(
    dependent,
    [...dropped].filter((event) => !isHandshake(event)),
  );
  const inUse = new Set(of.filter((session, event) => !frames[session]!.has(event) && !gone.has(event)));
  for (const event of dropped) {
    const session = of[event]!;
    if (isHandshake(event) && !inUse.has(session)) for (const other of frames[session]!) gone.add(other);
  }
  return new Set(of.flatMap((_, event) => (gone.has(event) ? [] : [event])));
}
