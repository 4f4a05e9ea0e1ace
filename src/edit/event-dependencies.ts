import type { Cassette } from '../cassette/cassette.ts';
import { correlateEntries, type Links } from '../cassette/correlate/correlate-entries.ts';
import { endsSession, isUnanswered } from '../cassette/correlate/session-ends.ts';
import { eventsToEntries, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import { isNotification, isRequest, isResponse, paramsOf } from '../protocol/message.ts';
import { isStream } from '../protocol/method-table.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import { causesOf } from '../replay/plan/causes.ts';
import { issuedInResponse, referencedIn, type TokenLocation } from '../replay/tokens/token-locations.ts';
import { exchangeLinks } from './http-exchange-links.ts';

/** Sets of event positions, indexed by event position. */
export type EventsByEvent = readonly ReadonlySet<number>[];

/** Dependencies between the events of a cassette, by position. */
export interface EventLinks {
  entries: readonly SessionEntry[];
  links: Links;
  /** Events required to play an event. */
  needs: EventsByEvent;
  /** Events required by an event, and events caused by it. */
  belongings: EventsByEvent;
  /** Pairs of cause and effect. The time between them is the reaction time of one side. */
  spans: readonly (readonly [cause: number, effect: number])[];
  /** Server frames before the client's first message. */
  unasked: readonly number[];
}

/**
 * Links the events of a cassette: a call with all events in it, the pages of a list, an HTTP exchange with its frames.
 */
export function eventLinks({ events }: Cassette): EventLinks {
  const entries = eventsToEntries(events);
  const links = correlateEntries(entries);
  const needs = events.map(() => new Set<number>());
  const belongings = events.map(() => new Set<number>());
  const spans: [number, number][] = [];
  const unasked: number[] = [];
  const eventOf = (entry: number) => entries[entry]!.event;
  const bring = (one: number, other: number) => one !== other && belongings[one]!.add(other);
  const need = (one: number, other: number) => bring(one, other) && needs[one]!.add(other);

  for (const [one, other] of pairsOf(entries, links)) {
    need(eventOf(one), eventOf(other));
    need(eventOf(other), eventOf(one));
  }
  const repeated = repeatedAnswers(entries, links);
  for (const [effect, cause] of [...links.cancelledRequestOf, ...links.progressRequestOf, ...repeated]) {
    need(eventOf(effect), eventOf(cause));
    bring(eventOf(cause), eventOf(effect));
  }
  for (const [effect, cause] of causesOf(entries, links).entries()) {
    if (cause === undefined || isOfExchange(entries[effect]!) || links.requestOf.has(effect) || repeated.has(effect))
      continue;
    const owner = cause.after ?? cause.entry;
    if (owner === undefined) unasked.push(eventOf(effect));
    else {
      need(eventOf(effect), eventOf(owner));
      bring(eventOf(owner), eventOf(effect));
      if (!isListen(entries[owner]!)) spans.push([eventOf(owner), eventOf(effect)]);
    }
    if (cause.entry !== undefined) need(eventOf(effect), eventOf(cause.entry));
  }
  for (const [request, end] of [...links.answerOf, ...links.cancelOf])
    if (!isListen(entries[request]!)) spans.push([eventOf(request), eventOf(end)]);
  for (const { event, other, brings, isMutual } of exchangeLinks(events)) {
    need(event, other);
    if (isMutual) need(other, event);
    else if (brings) bring(other, event);
  }
  for (const [request, end] of endsOf(entries, links)) need(eventOf(request), eventOf(end));
  for (const [updated, subscribe] of subscriptionsOf(entries)) need(eventOf(updated), eventOf(subscribe));
  return { entries, links, needs, belongings, spans, unasked };
}

/** Reports whether a frame is an HTTP frame without a message. Such a frame belongs to its exchange only. */
function isOfExchange({ frame }: SessionEntry): boolean {
  return frame.stream !== undefined && frame.kind !== 'message';
}

function isListen({ message }: SessionEntry): boolean {
  return isRequest(message) && isStream(message.method);
}

/** Yields pairs of entries that can only be played together. */
function* pairsOf(entries: readonly SessionEntry[], links: Links): Generator<readonly [number, number]> {
  yield* links.answerOf;
  for (const [request, cancel] of links.cancelOf) if (!links.answerOf.has(request)) yield [request, cancel];
  yield* chainsOf(entries, links);
}

/**
 * Returns a map from repeated answers to the requests whose answers they repeat. Resumed streams contain such answers.
 */
export function repeatedAnswers(
  entries: readonly SessionEntry[],
  { requestOf }: Pick<Links, 'requestOf'>,
): Map<number, number> {
  const repeated = new Map<number, number>();
  const answered = new Map<string, number>();
  for (const { index, from, message, json } of entries) {
    if (!isResponse(message) || json === undefined) continue;
    const key = `${from} ${json.text}`;
    const request = requestOf.get(index) ?? answered.get(key);
    if (request === undefined) continue;
    if (requestOf.has(index)) answered.set(key, request);
    else repeated.set(index, request);
  }
  return repeated;
}

/** Yields requests that repeat a cursor, request state or task id, each with the request whose response issued it. */
function* chainsOf(entries: readonly SessionEntry[], links: Links): Generator<readonly [number, number]> {
  const issued = new Map<string, number>();
  const keyOf = ({ from, json }: SessionEntry, { path, kind }: TokenLocation) => {
    const token = json && scalarKeyAt(json, path);
    return token === undefined ? undefined : `${from} ${kind} ${token}`;
  };
  for (const entry of entries) {
    const { index, message } = entry;
    if (isRequest(message)) {
      const asked: SessionEntry = { ...entry, from: entry.from === 'client' ? 'server' : 'client' };
      for (const location of referencedIn(message, undefined, [])) {
        const issuer = issued.get(keyOf(asked, location) ?? '');
        if (issuer !== undefined) yield [index, issuer];
      }
    } else if (isResponse(message)) {
      const request = entries[links.requestOf.get(index) ?? -1];
      if (!isRequest(request?.message)) continue;
      for (const location of issuedInResponse(message, request.message, [])) {
        const key = keyOf(entry, location);
        if (key !== undefined) issued.set(key, request.index);
      }
    }
  }
}

/** Yields unanswered requests, each with every later end of the session, since only the end stops the wait. */
function* endsOf(entries: readonly SessionEntry[], links: Links): Generator<readonly [number, number]> {
  const ends = entries.filter((entry) => endsSession(entry));
  for (const entry of entries) {
    if (!isUnanswered(entry, links)) continue;
    for (const end of ends) if (end.index > entry.index) yield [entry.index, end.index];
  }
}

/** Yields resource updates, each with its subscription. Servers send updates only to subscribers. */
function* subscriptionsOf(entries: readonly SessionEntry[]): Generator<readonly [number, number]> {
  const subscribed = new Map<unknown, number>();
  for (const { index, message } of entries) {
    if (isRequest(message) && message.method === 'resources/subscribe') subscribed.set(paramsOf(message).uri, index);
    if (!isNotification(message) || message.method !== 'notifications/resources/updated') continue;
    const subscribe = subscribed.get(paramsOf(message).uri);
    if (subscribe !== undefined) yield [index, subscribe];
  }
}

/** Returns the chosen events, and every event reachable through `links`. */
export function closureOf(links: EventsByEvent, chosen: Iterable<number>): Set<number> {
  const reached = new Set(chosen);
  for (const event of reached) for (const other of links[event] ?? []) reached.add(other);
  return reached;
}

/** Returns the inverse links. */
export function inverseOf(links: EventsByEvent): EventsByEvent {
  const inverse = links.map(() => new Set<number>());
  for (const [event, others] of links.entries()) for (const other of others) inverse[other]!.add(event);
  return inverse;
}
