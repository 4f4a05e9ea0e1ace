import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { isRefusal, refusedBy, refusedRequests } from '../../cassette/correlate/refused-requests.ts';
import { entriesOf, type SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { isNotification, isRequest, type Params, paramsOf } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { printable } from '../../text-report/printable-text.ts';
import { type Row, timelineOfEntries } from '../../text-report/timeline.ts';
import { assignLanes, countOf, streamLanes } from './assign-lanes.ts';
import { carriedOf, contentOf } from './event-content.ts';
import { peersOf } from './peers.ts';
import type { Item, Mark, StreamSpan, View } from './report-data-types.ts';

/** More than a row is wide; the whole is in its content. */
const DETAIL_MAX = 240;

/** Returns the view of a session, with marks by entry index. */
export function sessionView(cassette: Cassette, marks: ReadonlyMap<number, Mark[]> = new Map()): View {
  const entries = entriesOf(cassette.events);
  const links = correlateEntries(entries);
  const refusals = refusedRequests(entries, links);
  const answers: Answers = { ...links, refusals, refused: refusedBy(refusals) };
  const { rows, lasted } = timelineOfEntries(entries, links, refusals);
  let first = 0;
  const items = entries.map((entry): Item => {
    if (entries[entry.index - 1]?.event !== entry.event) first = entry.index;
    return Object.assign(itemOf(entry, rows[entry.index]!, idOf(entry, first)), linksOf(entry.index, answers));
  });
  for (const item of items) nameAfterRequest(item, items);
  nestServerRequests(items);
  for (const [index, found] of marks) items[index]!.marks = found;
  const streams = streamsOf(items);
  return {
    title: printable(cassette.file),
    kind: 'session',
    facts: factsOf(cassette).map(printable),
    warnings: warningsOf(cassette).map(printable),
    ...peersOf(cassette),
    ...(cassette.header.url !== undefined && { url: printable(cassette.header.url) }),
    lasted,
    items,
    lanes: {
      client: assignLanes(items, 'client'),
      server: assignLanes(items, 'server'),
      stream: countOf(streams.map(({ lane }) => lane)),
    },
    streams,
  };
}

function itemOf(entry: SessionEntry, row: Row, id: string): Item {
  const { line, at, from, message, json, frame } = entry;
  const { kind, what, detail, bytes, fate, failed, took } = row;
  const isAsked = isRequest(message) || isNotification(message);
  const rpcId = json && scalarKeyAt(json, ['id']);
  const name = isAsked ? nameOf(paramsOf(message)) : undefined;
  const content = contentOf(entry);
  const carried = carriedOf(entry);
  return {
    id,
    line,
    at,
    from,
    kind,
    what: printable(what.slice(0, DETAIL_MAX)),
    ...(detail !== undefined && { detail: printable(detail.slice(0, DETAIL_MAX)) }),
    ...(bytes !== undefined && { bytes }),
    ...(isAsked && { method: printable(message.method.slice(0, DETAIL_MAX)) }),
    ...(name !== undefined && { name: printable(name.slice(0, DETAIL_MAX)) }),
    ...(rpcId !== undefined && { rpcId: printable(rpcId.slice(0, DETAIL_MAX)) }),
    ...(frame.stream !== undefined && { stream: frame.stream }),
    ...(fate && { fate }),
    ...((failed || isRefusal(entry)) && { failed: true as const }),
    ...(took !== undefined && { took }),
    ...(content && { content }),
    ...(carried !== undefined && { carried }),
  };
}

/** Messages of a batch stand on one line: all but the first are numbered. */
function idOf({ line, index }: SessionEntry, first: number): string {
  return first === index ? `line-${line}` : `line-${line}.${index - first + 1}`;
}

interface Answers extends Links {
  /** Request → the HTTP status that refused it. */
  refusals: ReadonlyMap<number, number>;
  /** The inverse. */
  refused: ReadonlyMap<number, number>;
}

function linksOf(index: number, links: Answers): Pick<Item, 'answer' | 'request' | 'cancel'> {
  const answer = links.answerOf.get(index) ?? links.refusals.get(index);
  const cancel = links.cancelOf.get(index);
  const request =
    links.requestOf.get(index) ??
    links.progressOf.get(index) ??
    links.cancelledBy.get(index) ??
    links.refused.get(index);
  return {
    ...(answer !== undefined && { answer }),
    ...(cancel !== undefined && { cancel }),
    ...(request !== undefined && { request }),
  };
}

/** Whoever filters by a tool wants what came of its calls, too. */
function nameAfterRequest(item: Item, items: readonly Item[]): void {
  const request = items[item.request ?? -1];
  if (request === undefined) return;
  item.method ??= request.method ?? '';
  if (item.name === undefined && request.name !== undefined) item.name = request.name;
  if (item.rpcId === undefined && request.rpcId !== undefined) item.rpcId = request.rpcId;
}

function nameOf(params: Params): string | undefined {
  const name = params.name ?? params.uri;
  return typeof name === 'string' ? name : undefined;
}

function streamsOf(items: readonly Item[]): StreamSpan[] {
  const spans = new Map<number, { first: number; last: number }>();
  for (const [index, { stream }] of items.entries()) {
    if (stream === undefined) continue;
    const span = spans.get(stream);
    if (span) span.last = index;
    else spans.set(stream, { first: index, last: index });
  }
  const lanes = streamLanes([...spans.values()]);
  return [...spans].map(([stream, span], position) => ({ stream, lane: lanes[position]!, ...span }));
}

function factsOf({ header, end }: Cassette): string[] {
  const { transport, url, recorder, recorded } = header;
  return [transport, url, recorder, recorded, end].filter((fact) => fact !== undefined);
}

function warningsOf({ header, end, warnings }: Cassette): string[] {
  const isCutOff = header.recorder !== undefined && end === undefined;
  return isCutOff ? ['The recording was cut off: it has no end.', ...warnings] : warnings;
}

/** Notes on requests of the server which call they came up in: that of their exchange, or the only one in flight. */
function nestServerRequests(items: readonly Item[]): void {
  const inFlight = new Set<number>();
  const carried = new Map<number | undefined, Set<number>>();
  for (const [index, item] of items.entries()) {
    const { kind, from, request, stream } = item;
    if (kind === 'request' && from === 'client') {
      inFlight.add(index);
      const ofStream = carried.get(stream);
      if (ofStream) ofStream.add(index);
      else carried.set(stream, new Set([index]));
    } else if (kind === 'request') {
      const ofStream = stream === undefined ? undefined : carried.get(stream);
      const candidates = ofStream === undefined || ofStream.size === 0 ? inFlight : ofStream;
      const [only] = candidates;
      if (candidates.size === 1) item.within = only!;
    } else if (request !== undefined) {
      const { answer, cancel, stream: of } = items[request]!;
      if (index !== answer && index !== cancel) continue;
      inFlight.delete(request);
      carried.get(of)?.delete(request);
    }
  }
}
