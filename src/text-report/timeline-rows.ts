import type { Cassette, CassetteEvent } from '../cassette/cassette.ts';
import type { Links } from '../cassette/correlate/correlate-entries.ts';
import { correlateOutcomes } from '../cassette/correlate/correlate-outcomes.ts';
import { isRefusal, refusedBy, refusedRequests } from '../cassette/correlate/refused-requests.ts';
import { eventsToEntries, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import { type Frame, otherSide, type Side } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { errorOf, isNotification, isRequest, isResponse, resultOf } from '../protocol/message.ts';
import { describeSessionEntry } from './describe-session-entry.ts';

/**
 * Outcome of a request. `error` is a JSON-RPC error, a tool's result with `isError`, or an HTTP status that refuses the
 * request.
 */
export type Fate = 'answered' | 'error' | 'cancelled' | 'pending';

export type RowKind = 'request' | 'notification' | 'response' | Exclude<Frame['kind'], 'message'>;

/** Row for one entry. Line numbers refer to the cassette's file, from 1, as in error messages. */
export interface Row {
  line: number;
  /** Time since the start of the session. */
  at: Milliseconds;
  from: Side;
  kind: RowKind;
  /** Short description: `tools/call "echo"`. */
  what: string;
  /** Content on one line of any length. */
  detail?: string;
  /** Size of the message's JSON or of the line, in bytes of UTF-8. */
  bytes?: number;
  /** Outcome, for requests only. */
  fate?: Fate;
  /**
   * Whether the answer is an error, a tool's result with `isError`, or an HTTP status that refuses a request. For
   * answers only.
   */
  failed?: true;
  /** Time from a request to its answer. Set on both rows. */
  took?: Milliseconds;
  /** Line of the answer, or of the HTTP status that refused the request. For requests only. */
  answer?: number;
  /** Line of the request, for an answer, progress or cancellation. For a refused batch, its first request. */
  request?: number;
}

/** Session in a readable form. */
export interface Timeline {
  rows: Row[];
  /** Number of requests by outcome, for both sides. */
  fates: Record<Fate, number>;
  /** Time from the first frame to the last. */
  lasted: Milliseconds;
}

/** Returns the timeline of a cassette: a row per message, in wire order, even within batches. */
export function timelineOf({ events }: Cassette): Timeline {
  const entries = eventsToEntries(events);
  const links = correlateOutcomes(entries);
  return timelineOfEntries(entries, links, refusedRequests(entries, links));
}

/** Returns the timeline of linked entries. */
export function timelineOfEntries(
  entries: readonly SessionEntry[],
  links: Links,
  refusals: ReadonlyMap<number, number>,
): Timeline {
  const requestOf = new Map([...links.requestOf, ...links.progressRequestOf, ...refusedBy(refusals)]);
  for (const [request, cancel] of links.cancelOf) requestOf.set(cancel, request);

  const fates: Record<Fate, number> = { answered: 0, error: 0, cancelled: 0, pending: 0 };
  const rows = entries.map((entry): Row => {
    const answer = entries[links.answerOf.get(entry.index) ?? refusals.get(entry.index) ?? -1];
    const request = entries[requestOf.get(entry.index) ?? -1];
    const row = rowOfEntry(entry, { answer, request, isCancelled: links.cancelOf.has(entry.index) });
    if (row.fate) fates[row.fate]++;
    return row;
  });
  return { rows, fates, lasted: (entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0) };
}

/** Entries related to an entry. */
export interface LinkedEntries {
  /** Answer of a request, or the HTTP reply that refused it. */
  answer: SessionEntry | undefined;
  /** Request of an answer, progress, cancel or refusal. */
  request: SessionEntry | undefined;
  isCancelled: boolean;
}

/** Returns the row of an entry. */
export function rowOfEntry(entry: SessionEntry, { answer, request, isCancelled }: LinkedEntries): Row {
  const kind = kindOf(entry);
  const isReply = request !== undefined && (kind === 'response' || kind === 'http-response');
  const { what, detail, bytes } = describeSessionEntry(entry);
  const { fate, took } = outcomeOf(entry, answer, isCancelled);
  // A session has as many rows as entries: assignments copy nothing, unlike spreads.
  const row: Row = { line: entry.line, at: entry.at, from: entry.from, kind, what };
  if (detail !== undefined) row.detail = detail;
  if (bytes !== undefined) row.bytes = bytes;
  if (fate !== undefined) row.fate = fate;
  if (took !== undefined) row.took = took;
  if (answer) row.answer = answer.line;
  if (request) row.request = request.line;
  if (isReply) row.took = entry.at - request.at;
  if (isFailure(entry) || (kind === 'http-response' && request)) row.failed = true;
  return row;
}

/** Returns the current outcome of a request. Empty for any other entry. */
export function outcomeOf(
  entry: SessionEntry,
  answer: SessionEntry | undefined,
  isCancelled: boolean,
): Pick<Row, 'fate' | 'took'> {
  const outcome: Pick<Row, 'fate' | 'took'> = {};
  if (kindOf(entry) === 'request') outcome.fate = fateOf(answer, isCancelled);
  if (answer) outcome.took = answer.at - entry.at;
  return outcome;
}

/** The timeline of a session that goes on: an answer tells how long its request took, which was returned before. */
export class LiveTimeline {
  readonly #open = new Map<string, SessionEntry>();

  /** Takes the next events. Returns their rows. */
  add(events: readonly CassetteEvent[]): Row[] {
    return eventsToEntries(events).map((entry) => this.#rowOf(entry));
  }

  #rowOf(entry: SessionEntry): Row {
    const { line, at, from, message } = entry;
    if (isRequest(message)) this.#open.set(`${from} ${JSON.stringify(message.id)}`, entry);
    const key = isResponse(message) && `${otherSide(from)} ${JSON.stringify(message.id)}`;
    const request = key ? this.#open.get(key) : undefined;
    if (key) this.#open.delete(key);
    return {
      line,
      at,
      from,
      kind: kindOf(entry),
      ...describeSessionEntry(entry),
      ...(request && { request: request.line, took: at - request.at }),
      ...(isFailure(entry) && { failed: true }),
    };
  }
}

/** Returns a timeline of the wanted requests only, each with its answer, progress and cancellation. */
export function requestsOf({ rows, lasted }: Timeline, isWanted: (request: Row) => boolean): Timeline {
  const lines = new Set(rows.filter((row) => row.fate !== undefined && isWanted(row)).map(({ line }) => line));
  const kept = rows.filter((row) => (row.fate === undefined ? lines.has(row.request ?? 0) : lines.has(row.line)));
  const fates: Record<Fate, number> = { answered: 0, error: 0, cancelled: 0, pending: 0 };
  for (const { fate } of kept) if (fate !== undefined) fates[fate]++;
  return { rows: kept, fates, lasted };
}

function kindOf({ frame, message }: SessionEntry): RowKind {
  if (frame.kind !== 'message') return frame.kind;
  if (isRequest(message)) return 'request';
  if (isNotification(message)) return 'notification';
  return isResponse(message) ? 'response' : 'line';
}

function fateOf(answer: SessionEntry | undefined, cancelled: boolean): Fate {
  if (answer === undefined) return cancelled ? 'cancelled' : 'pending';
  return isFailure(answer) || isRefusal(answer) ? 'error' : 'answered';
}

function isFailure({ message }: SessionEntry): boolean {
  return isResponse(message) && (errorOf(message) !== undefined || resultOf(message).isError === true);
}
