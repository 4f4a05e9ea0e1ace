import type { Cassette } from '../../cassette/cassette.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { isNotification, isRequest, paramsOf } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { CassetteLines } from '../cassette-lines.ts';
import type { SessionSections } from '../sessions-in-cassette.ts';

/** Selection of cassette events. An event has to meet one condition of each given kind. */
export interface CutSelection {
  /** Line numbers in the file, from 1, inclusive. */
  lines?: readonly LineRange[];
  /** Names of called tools. */
  tools?: readonly string[];
  /** Methods of requests and notifications, of either side. */
  methods?: readonly string[];
  /** Time since the first event of the file, inclusive. */
  from?: Milliseconds;
  to?: Milliseconds;
  /** Numbers of sessions, from 1. */
  sessions?: readonly number[];
}

export interface LineRange {
  first: number;
  last: number;
}

/** The cassette that a selection applies to. */
export interface SelectionContext {
  lines: CassetteLines;
  entries: readonly SessionEntry[];
  sections: SessionSections;
}

/**
 * Returns the positions of the selected events.
 * @throws McpRecordError USAGE_BAD_LINES, USAGE_NOT_IN_CASSETTE, USAGE_NOTHING_SELECTED
 */
export function selectedEvents(selection: CutSelection, context: SelectionContext): Set<number> {
  const { cassette } = context.lines.editable;
  const kinds = [
    eventsOfLines(selection, context),
    eventsOfNames(selection.tools, context, { what: 'tool', nameOf: toolOf }),
    eventsOfNames(selection.methods, context, { what: 'method', nameOf: methodOf }),
    eventsOfTime(selection, cassette),
    eventsOfSessions(selection, context),
  ].filter((events) => events !== undefined);
  if (kinds.length === 0) {
    const next = 'Add --tool, --method, --lines, --from, --to or --session.';
    throw nothingSelected(cassette.file, 'no option says which events', next);
  }
  const selected = new Set([...kinds[0]!].filter((event) => kinds.every((events) => events.has(event))));
  if (selected.size > 0) return selected;
  const why = kinds.length > 1 ? 'no event meets all conditions' : 'no event is there';
  const end = cassette.events.at(-1)?.frame.at ?? 0;
  throw nothingSelected(
    cassette.file,
    why,
    `It has ${formatCount(cassette.events.length, 'event')} in ${Math.ceil(end)} ms: mcp-record show ${cassette.file} prints them with their lines and times.`,
  );
}

/**
 * Returns a warning for each range of `lines` with events of which none is selected, since another condition leaves them
 * out.
 */
export function leftOutLines(
  { lines: ranges = [] }: CutSelection,
  { lines, entries }: SelectionContext,
  selected: ReadonlySet<number>,
): string[] {
  return ranges.flatMap((range) => {
    const events = lines.events.flatMap(({ line, lastLine }, event) =>
      range.first <= lastLine && range.last >= line ? [event] : [],
    );
    if (events.length === 0 || events.some((event) => selected.has(event))) return [];
    const { message } = entries.find(({ event }) => event === events[0]) ?? {};
    const what = isRequest(message) ? ` (${subjectOf(message.method, message.params)})` : '';
    return [
      `--lines ${range.first}${what} selects nothing: an event has to meet all kinds of conditions. Add its --tool, or leave the others out.`,
    ];
  });
}

function eventsOfLines({ lines: ranges = [] }: CutSelection, { lines }: SelectionContext): Set<number> | undefined {
  if (ranges.length === 0) return undefined;
  const { file, events } = lines.editable.cassette;
  const count = countLines(lines);
  const outside = ranges.find(({ last }) => last > count);
  if (outside) {
    throw new McpRecordError({
      code: 'USAGE_BAD_LINES',
      what: `Cannot select lines ${outside.first}-${outside.last} of ${file}`,
      why: `it has ${formatCount(count, 'line')}`,
      next: `Name lines from 1 to ${count}.`,
    });
  }
  const isIn = (first: number, last: number) => ranges.some((range) => range.first <= last && range.last >= first);
  return new Set(
    events.flatMap((_, event) => (isIn(lines.events[event]!.line, lines.events[event]!.lastLine) ? [event] : [])),
  );
}

function countLines({ head, events, tail }: CassetteLines): number {
  const last = events.at(-1)?.lastLine ?? breaksIn(head);
  return last + breaksIn(tail);
}

function breaksIn(text: string): number {
  return text.match(/\r\n?|\n|[^\r\n]$/g)?.length ?? 0;
}

interface Named {
  what: 'tool' | 'method';
  nameOf(entry: SessionEntry): string | undefined;
}

function eventsOfNames(
  names: readonly string[] = [],
  { lines, entries }: SelectionContext,
  { what, nameOf }: Named,
): Set<number> | undefined {
  if (names.length === 0) return undefined;
  const byName = new ListMap<string, number>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (name !== undefined) byName.add(name, entry.event);
  }
  const known = [...byName.keys()].sort();
  return new Set(names.flatMap((name) => byName.get(name) ?? notThere({ lines, what, name, known })));
}

function toolOf({ from, message }: SessionEntry): string | undefined {
  if (from === 'server' || !isRequest(message) || message.method !== 'tools/call') return undefined;
  const { name } = paramsOf(message);
  return typeof name === 'string' ? name : undefined;
}

function methodOf({ message }: SessionEntry): string | undefined {
  return isRequest(message) || isNotification(message) ? message.method : undefined;
}

interface Missing {
  lines: CassetteLines;
  what: string;
  name: string;
  known: readonly string[];
}

function notThere({ lines, what, name, known }: Missing): never {
  const meant = didYouMean(name, known);
  const list = known.length > 0 ? `It has: ${known.join(', ')}.` : `It has no ${what} at all.`;
  throw new McpRecordError({
    code: 'USAGE_NOT_IN_CASSETTE',
    what: `Cannot select the ${what} "${name}"`,
    why: `${lines.editable.cassette.file} has no message of it`,
    next: meant ? `Did you mean "${meant}"? ${list}` : list,
  });
}

function eventsOfTime({ from, to }: CutSelection, { events }: Cassette): Set<number> | undefined {
  if (from === undefined && to === undefined) return undefined;
  const isIn = (at: Milliseconds) => at >= (from ?? 0) && at <= (to ?? Number.POSITIVE_INFINITY);
  return new Set(events.flatMap(({ frame }, event) => (isIn(frame.at) ? [event] : [])));
}

function eventsOfSessions(
  { sessions = [] }: CutSelection,
  { lines, sections }: SelectionContext,
): Set<number> | undefined {
  if (sessions.length === 0) return undefined;
  const missing = sessions.find((session) => session > sections.count);
  if (missing !== undefined) {
    throw new McpRecordError({
      code: 'USAGE_NOT_IN_CASSETTE',
      what: `Cannot select session ${missing}`,
      why: `${lines.editable.cassette.file} has ${formatCount(sections.count, 'session')}`,
      next: `Name one from 1 to ${sections.count}.`,
    });
  }
  return new Set(sections.of.flatMap((session, event) => (sessions.includes(session + 1) ? [event] : [])));
}

/** Returns the error for a cut that keeps no event or every event. */
export function nothingSelected(file: string, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'USAGE_NOTHING_SELECTED', what: `Cannot cut ${file}`, why, next });
}
