import type { CassetteEvent } from '../../cassette/cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import type { CassetteLines } from '../cassette-lines.ts';
import { closureOf, type EventLinks } from '../event-links.ts';
import type { SessionSections } from '../session-sections.ts';

/** A cassette whose session is joined with others. */
export interface JoinedCassette {
  file: string;
  lines: CassetteLines;
  links: EventLinks;
  sections: SessionSections;
}

/**
 * Returns the events of `later` that repeat how `first` begins: the handshake, and what is equal of that which the server said because
 * of it.
 */
export function repeatedOpening(first: JoinedCassette, later: JoinedCassette): Set<number> {
  const hasOpening = first.sections.handshakes[0]!.size > 0;
  const [handshake, framing] = [later.sections.handshakes[0]!, later.sections.frames[0]!];
  const known = new Map<string, number>();
  for (const event of first.sections.frames[0]!) {
    const key = meaningOf(first.lines.editable.cassette.events[event]!);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const repeated = new Set<number>(hasOpening ? handshake : []);
  const ends = new Set(endsOf(later).events);
  for (const event of [...framing].sort((a, b) => a - b)) {
    if (handshake.has(event) || ends.has(event)) continue;
    const key = meaningOf(later.lines.editable.cassette.events[event]!);
    const left = known.get(key) ?? 0;
    if (left === 0) continue;
    known.set(key, left - 1);
    repeated.add(event);
  }
  // What is left out goes as a whole: a question with its answer, an exchange with its frames.
  const isWhole = (event: number) =>
    [...closureOf(later.links.needs, [event])].every((other) => repeated.has(other) || handshake.has(other));
  return new Set([...repeated].filter(isWhole));
}

/** What an event says, whatever its id, time and stream. */
function meaningOf({ frame }: CassetteEvent): string {
  const { at, stream, ...rest } = frame;
  if (rest.kind !== 'message') return canonicalJson(rest);
  const { id, ...message } = rest.json.value as Record<string, unknown>;
  return canonicalJson({ from: rest.from, message });
}

/**
 * Returns the events by which a session ends that goes on in a merged one.
 * @throws McpRecordError USAGE_CANNOT_MERGE where the server ended it
 */
export function endingOf({ file, lines, links, sections }: JoinedCassette): number[] {
  const { events, byClient } = endsOf({ file, lines, links, sections });
  const all = lines.editable.cassette.events;
  const crash = events.find((event) => !byClient.has(event) && all[event]!.frame.from === 'server');
  if (crash === undefined) return events;
  throw new McpRecordError({
    code: 'USAGE_CANNOT_MERGE',
    what: `Cannot merge ${file}`,
    why: `its server ended at line ${lines.events[crash]!.line}, where its client had not ended the session, and no session goes on after that`,
    next: `Name ${file} last.`,
  });
}

interface SessionEnd {
  events: number[];
  /** What the client did to end it, and what came of it. */
  byClient: ReadonlySet<number>;
}

/** Returns how a session ends: its last events that close, signal or exit, and what the server wrote to standard error because of them. */
function endsOf({ lines, links }: JoinedCassette): SessionEnd {
  const { events } = lines.editable.cassette;
  const spoken = links.entries.findLast(({ from, message }) => from === 'client' && message !== undefined)?.event ?? -1;
  const isEnd = (event: number) =>
    event > spoken && END.has(events[event]!.frame.kind) && !isOfExchange(events[event]!);
  const ends = events.flatMap((_, event) => (isEnd(event) ? [event] : []));
  const byClient = closureOf(
    links.belongings,
    ends.filter((event) => events[event]!.frame.from === 'client'),
  );
  const isSilent = (event: number) => event > spoken && events[event]!.frame.kind === 'line';
  return { events: [...new Set([...ends, ...[...byClient].filter(isSilent)])], byClient };
}

const END: ReadonlySet<string> = new Set(['close', 'signal', 'exit']);

function isOfExchange({ frame }: CassetteEvent): boolean {
  return frame.stream !== undefined;
}
