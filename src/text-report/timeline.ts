import type { Cassette, CassetteEvent } from '../cassette/cassette.ts';
import { correlateEntries, type Links } from '../cassette/correlate/correlate-entries.ts';
import { isRefusal, refusedBy, refusedRequests } from '../cassette/correlate/refused-requests.ts';
import { entriesOf, type SessionEntry } from '../cassette/correlate/session-entries.ts';
import { type Frame, otherSide, type Side } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { errorOf, isNotification, isRequest, isResponse, resultOf } from '../protocol/message.ts';
import { describeSessionEntry } from './describe-session-entry.ts';

/** What a request came to. `error` is a JSON-RPC error, a tool's result with `isError`, or an HTTP status that refuses it. */
export type Fate = 'answered' | 'error' | 'cancelled' | 'pending';

export type RowKind = 'request' | 'notification' | 'response' | Exclude<Frame['kind'], 'message'>;

/** One thing that one side did. Lines are those of the cassette's file, from 1: what error messages name, too. */
export interface Row {
  line: number;
  /** Since the session began. */
  at: Milliseconds;
  from: Side;
  kind: RowKind;
  /** What it was, in a few words: `tools/call "echo"`. */
  what: string;
  /** Content on one line of any length. */
  detail?: string;
  /** Size in UTF-8 of the message's JSON or of the line. */
  bytes?: number;
  /** Requests only. */
  fate?: Fate;
  /** The answer is an error, a tool's result with `isError`, or an HTTP status that refuses a request. On answers only. */
  failed?: true;
  /** Time from a request to its answer. On both rows. */
  took?: Milliseconds;
  /** On a request: line of its answer, or of the HTTP status that refused it. */
  answer?: number;
  /** On an answer, progress or cancel: line of its request. A refused batch names its first. */
  request?: number;
}

/** A session as a person reads it. */
export interface Timeline {
  rows: Row[];
  /** Requests of either side by what they came to. */
  fates: Record<Fate, number>;
  /** From the first frame to the last. */
  lasted: Milliseconds;
}

/** Returns the timeline of a cassette: a row per message, in wire order, also within batches. */
export function timelineOf({ events }: Cassette): Timeline {
  const entries = entriesOf(events);
  const links = correlateEntries(entries);
  return timelineOfEntries(entries, links, refusedRequests(entries, links));
}

/** The same, of entries that were linked already. */
export function timelineOfEntries(
  entries: readonly SessionEntry[],
  links: Links,
  refusals: ReadonlyMap<number, number>,
): Timeline {
  const requestOf = new Map([...links.requestOf, ...links.progressOf, ...refusedBy(refusals)]);
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

/** The entries that belong to one. */
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
  return {
    line: entry.line,
    at: entry.at,
    from: entry.from,
    kind,
    ...describeSessionEntry(entry),
    ...outcomeOf(entry, answer, isCancelled),
    ...(answer && { answer: answer.line }),
    ...(request && { request: request.line }),
    ...(isReply && { took: entry.at - request.at }),
    ...((isFailure(entry) || (kind === 'http-response' && request)) && { failed: true }),
  };
}

/** Returns what a request came to so far. Empty: the entry is no request. */
export function outcomeOf(
  entry: SessionEntry,
  answer: SessionEntry | undefined,
  isCancelled: boolean,
): Pick<Row, 'fate' | 'took'> {
  return {
    ...(kindOf(entry) === 'request' && { fate: fateOf(answer, isCancelled) }),
    ...(answer && { took: answer.at - entry.at }),
  };
}

/** The timeline of a session that goes on: an answer tells how long its request took, which was returned before. */
export class LiveTimeline {
  readonly #open = new Map<string, SessionEntry>();

  /** Takes events in their order and returns their rows. */
  add(events: readonly CassetteEvent[]): Row[] {
    return entriesOf(events).map((entry) => this.#rowOf(entry));
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

/** Returns a timeline of those requests alone, each with its answer, its progress and its cancel. */
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
