import type { CassetteEvent } from '../../cassette/cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import type { CassetteLines } from '../cassette-lines.ts';
import { closureOf, type EventLinks } from '../event-dependencies.ts';
import type { SessionSections } from '../sessions-in-cassette.ts';

/** A cassette with a session to join. */
export interface JoinedCassette {
  file: string;
  lines: CassetteLines;
  links: EventLinks;
  sections: SessionSections;
}

/**
 * Returns the events of `later` that repeat the start of `first`: the handshake, and equal server messages that
 * followed from it.
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
  // Events are removed only together with their dependencies: a request with its response.
  const isWhole = (event: number) =>
    [...closureOf(later.links.needs, [event])].every((other) => repeated.has(other) || handshake.has(other));
  return new Set([...repeated].filter(isWhole));
}

/** Returns an event as comparable text, without id, time and stream. */
function meaningOf({ frame }: CassetteEvent): string {
  const { at, stream, ...rest } = frame;
  if (rest.kind !== 'message') return canonicalJson(rest);
  const { id, ...message } = rest.json.value as Record<string, unknown>;
  return canonicalJson({ from: rest.from, message });
}

/**
 * Returns the events that end a session, to be removed when the merged session continues.
 * @throws McpRecordError USAGE_CANNOT_MERGE if the server ended the session
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
  /** The client's closing events, and the events caused by them. */
  byClient: ReadonlySet<number>;
}

/**
 * Returns the end of a session: its last close, signal and exit events, and the server's resulting lines on standard
 * error.
 */
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
