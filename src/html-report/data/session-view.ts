import type { Cassette } from '../../cassette/cassette.ts';
import { instantOf } from '../../kernel/clock.ts';
import { printable } from '../../text-report/printable-text.ts';
import { type ViewHead, viewOf } from './lanes/view-with-lanes.ts';
import { peersOf } from './peers.ts';
import type { Mark, View } from './report-data-types.ts';
import { SessionItems } from './session-items.ts';

/** Returns the view of a session, with marks by entry index. */
export function sessionView(cassette: Cassette, marks: ReadonlyMap<number, Mark[]> = new Map()): View {
  const session = new SessionItems();
  session.add(cassette.events);
  for (const [index, found] of marks) session.items[index]!.marks = found;
  return viewOf(sessionHead(cassette), session.items);
}

/** Returns the head of a view. A growing session gets no warning about a missing end. */
export function sessionHead(cassette: Cassette, isGrowing = false): ViewHead {
  return {
    title: printable(cassette.file),
    kind: 'session',
    facts: factsOf(cassette).map(printable),
    warnings: warningsOf(cassette, isGrowing).map(printable),
    ...peersOf(cassette),
    ...(cassette.header.url !== undefined && { url: printable(cassette.header.url) }),
    ...startOf(cassette),
  };
}

function startOf({ header: { recorded } }: Cassette): Pick<View, 'start'> {
  const at = recorded === undefined ? Number.NaN : instantOf(recorded).getTime();
  // The format allows dates that do not exist.
  if (Number.isNaN(at)) return {};
  return { start: { at, ...(!recorded!.includes('.') && { isRounded: true }) } };
}

function factsOf({ header, end }: Cassette): string[] {
  const { transport, url, recorder, recorded } = header;
  return [transport, url, recorder, recorded, end].filter((fact) => fact !== undefined);
}

function warningsOf({ header, end, warnings }: Cassette, isGrowing: boolean): string[] {
  const isCutOff = header.recorder !== undefined && end === undefined && !isGrowing;
  return isCutOff ? ['The recording was cut off: it has no end.', ...warnings] : warnings;
}
