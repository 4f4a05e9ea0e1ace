import type { Cassette } from '../cassette/cassette.ts';
import { correlateEntries, type Links } from '../cassette/correlate/correlate-entries.ts';
import { inferHttpSessions } from '../cassette/correlate/infer-http-sessions.ts';
import { endsSession } from '../cassette/correlate/session-ends.ts';
import { eventsToEntries, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { Side } from '../channel/frame.ts';
import { messageTitle } from '../contract/message-title.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { formatCount } from '../kernel/format-count.ts';
import { isRequest } from '../protocol/message.ts';
import { isStream } from '../protocol/method-table.ts';

/** A line of a cassette file. */
export interface CassetteLine {
  line: number;
  /** Number of lines in the file. */
  lineCount: number;
}

/**
 * Returns the cassette up to and including the event at a line: of the session that the event belongs to, without the end
 * of its client. A request of the server that is open there keeps its later answer.
 * @throws McpRecordError USAGE_BAD_LINES, FORK_IN_CALL, FORK_NO_CLIENT
 */
export function sessionPrefix(cassette: Cassette, { line, lineCount }: CassetteLine): Cassette {
  const { end: _, ...open } = cassette;
  const { file, events, header } = cassette;
  const entries = eventsToEntries(events);
  const links = correlateEntries(entries);
  if (!entries.some(isClientRequest)) throw noClient(file);
  if (line < 1 || line > lineCount) throw badLine(file, line, `the file has ${formatCount(lineCount, 'line')}`);
  const target = events.findLastIndex((event) => event.line <= line);
  const sessions = header.transport === 'http' ? inferHttpSessions(events, entries, links) : events.map(() => 0);
  const ofLine = sessions[Math.max(0, target)];
  const ofSession = entries.filter((entry) => sessions[entry.event] === ofLine && !isClientClose(entry));
  const session: Session = { file, links, entries: ofSession };
  const played = ofSession.filter(({ event }) => event <= target);
  if (!played.some(isClientRequest)) throw beforeClient(file, line, ofSession);
  const ending = played.find(endsSession);
  if (ending) throw badLine(file, line, `the session has ended before, at line ${ending.line}`);
  const [call] = openAt(target, 'client', session);
  if (call) throw inCall(call, target, line, session);
  const answers = openAt(target, 'server', session).map(({ index }) => entries[links.answerOf.get(index)!]!);
  const kept = new Set([...played, ...answers].map(({ event }) => event));
  return { ...open, events: events.filter((_event, n) => kept.has(n)) };
}

interface Session {
  file: string;
  links: Links;
  entries: readonly SessionEntry[];
}

function isClientRequest({ from, message }: SessionEntry): boolean {
  return from === 'client' && isRequest(message);
}

/** Reports whether the client closes its side. A client may do that before it has all answers. */
function isClientClose({ from, frame }: SessionEntry): boolean {
  return from === 'client' && frame.kind === 'close' && frame.stream === undefined;
}

/** Returns the requests of a side whose answer comes after an event. A subscription stays open by design. */
function openAt(event: number, side: Side, { entries, links }: Session): SessionEntry[] {
  const eventOf = new Map(entries.map((entry) => [entry.index, entry.event]));
  const isAfter = (index: number | undefined) => index !== undefined && (eventOf.get(index) ?? -1) > event;
  return entries.filter(({ index, event: sent, from, message }) => {
    if (from !== side || sent > event || !isRequest(message) || isStream(message.method)) return false;
    const cancel = links.cancelOf.get(index);
    return isAfter(links.answerOf.get(index)) && (cancel === undefined || isAfter(cancel));
  });
}

/** Returns the nearest event in a direction at which no request is open. */
function quietEvent(from: number, step: 1 | -1, session: Session): SessionEntry | undefined {
  const { entries } = session;
  const candidates = entries.filter(({ event }) => (step === 1 ? event > from : event < from));
  if (step === -1) candidates.reverse();
  const isQuiet = ({ event }: SessionEntry) =>
    openAt(event, 'client', session).length === 0 &&
    entries.some((entry) => entry.event <= event && isClientRequest(entry));
  return candidates.find(isQuiet);
}

function inCall(request: SessionEntry, target: number, line: number, session: Session): McpRecordError {
  const { file, links, entries } = session;
  const answer = entries.find(({ index }) => index === links.answerOf.get(request.index))!;
  const after = quietEvent(target, 1, session);
  const before = quietEvent(target, -1, session);
  return new McpRecordError({
    code: 'FORK_IN_CALL',
    what: `Cannot fork ${file} at line ${line}`,
    why: `${messageTitle(request.message)} of line ${request.line} is answered later, at line ${answer.line}`,
    next: [
      ...(after ? [`Name ${file}:${after.line} to play it whole.`] : []),
      ...(before ? [`Name ${file}:${before.line} to stop before it.`] : []),
    ].join(' '),
    place: { file, line: request.line },
  });
}

function badLine(file: string, line: number, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_LINES',
    what: `Cannot fork ${file} at line ${line}`,
    why,
    next: `Name the line of an answer, or of a notification: mcp-record show ${file} prints them.`,
  });
}

function beforeClient(file: string, line: number, entries: readonly SessionEntry[]): McpRecordError {
  const first = entries.find(isClientRequest);
  return badLine(file, line, `its client sends its first request later${first ? `, at line ${first.line}` : ''}`);
}

function noClient(file: string): McpRecordError {
  return new McpRecordError({
    code: 'FORK_NO_CLIENT',
    what: `Cannot fork ${file}`,
    why: 'it has no request of a client, so that there is nothing to play',
    next: 'Name the cassette of a whole session.',
  });
}
