import type { Cassette, CassetteEvent } from '../../../cassette/cassette.ts';
import { correlateEntries, type Links } from '../../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../../cassette/split-batches-into-entries.ts';
import { isRequest } from '../../../protocol/message.ts';
import { isStream } from '../../../protocol/method-table.ts';
import { causesOf } from '../../../replay/plan/causes.ts';
import type { Cause } from '../../../replay/plan/requests-in-flight.ts';
import type { ReplayPlan } from '../../../replay/plan/server-plan.ts';
import { mustPrecede, type OrderedMessage } from '../../orders/ordered-message.ts';
import type { PlayedSession } from '../play-session.ts';

/** Session whose client sends its messages in another order than recorded. */
export interface ReorderedSession {
  cassette: Cassette;
  /** Position of each event in the recorded session. */
  recorded: readonly number[];
  /** Positions of the messages that moved, in their order. */
  moved: readonly number[];
}

export interface ReorderOptions {
  /** All messages of the client that have an order, as recorded. */
  messages: readonly OrderedMessage[];
  /** Messages that come in this order. All others keep their order, as far as causality lets them. */
  order: readonly OrderedMessage[];
  /** Whether each request follows the answer to the one before. */
  isOneByOne?: boolean;
}

/**
 * Writes a session anew, so that its client sends messages in another order. Each message still follows what the client
 * had received before it.
 */
export function reorderSession({ events, ...rest }: Cassette, options: ReorderOptions): ReorderedSession {
  const { messages, order, isOneByOne = false } = options;
  const eventOf = new Map(events.map(({ line }, event) => [line, event] as const).toReversed());
  const moving = new Set(messages.map(({ line }) => eventOf.get(line)!));
  const session = new SessionWriter({ events, moving, isOneByOne });
  for (const { line } of messagesInOrder(options)) session.send(eventOf.get(line)!);
  const recorded = session.end();
  const placeOf = new Map(recorded.map((event, place) => [event, place]));
  return {
    cassette: { ...rest, events: recorded.map((event) => events[event]!) },
    recorded,
    moved: order.map(({ line }) => placeOf.get(eventOf.get(line)!)!),
  };
}

/** Returns all messages with some of them in another order: each as early as causality and this order let it. */
export function messagesInOrder({
  messages,
  order,
}: Pick<ReorderOptions, 'messages' | 'order'>): readonly OrderedMessage[] {
  const before = new Map(order.map((one, at) => [one.line, order[at - 1]?.line]));
  const sent = new Set<number>();
  /** Number of messages that have been sent without a gap. */
  let first = 0;
  const isReady = (index: number): boolean => {
    const follows = before.get(messages[index]!.line);
    if (follows !== undefined && !sent.has(follows)) return false;
    for (let at = first; at < index; at++) {
      if (!sent.has(messages[at]!.line) && mustPrecede(messages, at, index)) return false;
    }
    return true;
  };
  return messages.map(() => {
    let next = first;
    while (sent.has(messages[next]!.line) || !isReady(next)) next++;
    sent.add(messages[next]!.line);
    while (first < messages.length && sent.has(messages[first]!.line)) first++;
    return messages[next]!;
  });
}

/** Returns a session as if its client had sent its messages in the recorded order. `plan`: plan of such a session. */
export function asRecorded(
  session: PlayedSession,
  { recorded }: Pick<ReorderedSession, 'recorded'>,
  plan: ReplayPlan,
): PlayedSession {
  const indexes = new Map<number, number[]>();
  for (const { event, index } of plan.entries) indexes.set(event, [...(indexes.get(event) ?? []), index]);
  const taken = new Map<number, number>();
  const recordedIndex = session.run.plan.entries.map(({ event }) => {
    const count = taken.get(event) ?? 0;
    taken.set(event, count + 1);
    // Added entries, such as those of a missing handshake, belong to no event.
    return indexes.get(recorded[event] ?? event)?.[count] ?? -1;
  });
  return {
    ...session,
    answers: new Map([...session.answers].map(([index, answer]) => [recordedIndex[index]!, answer])),
    unanswered: new Set([...session.unanswered].map((index) => recordedIndex[index]!)),
    run: { ...session.run, plan },
  };
}

interface WriterOptions {
  events: readonly CassetteEvent[];
  /** Events that have no place of their own. */
  moving: ReadonlySet<number>;
  isOneByOne: boolean;
}

/** Writes the events of a session in another order. An event is named by its recorded position. */
class SessionWriter {
  readonly #options: WriterOptions;
  readonly #entries: readonly SessionEntry[];
  /** Event → request of the client that it cannot precede. */
  readonly #requestOf: ReadonlyMap<number, number>;
  readonly #written = new Set<number>();
  /** Request that is not written yet → events that wait for it. */
  readonly #held = new Map<number, number[]>();
  /** Number of recorded events that have been passed. */
  #passed = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#entries = eventsToEntries(options.events);
    this.#requestOf = requestsOf(this.#entries);
  }

  /** Writes a message of the client, after all that the client had received before. */
  send(event: number): void {
    if (this.#written.has(event)) return;
    this.#passTo(event);
    this.#write(event);
    if (!this.#options.isOneByOne || !this.#isAnswered(event)) return;
    for (const [own, request] of [...this.#requestOf].toSorted(([a], [b]) => a - b)) {
      if (request === event) this.#write(own);
    }
  }

  /** Writes the rest of the session, and returns all events. */
  end(): readonly number[] {
    this.#passTo(this.#options.events.length);
    return [...this.#written];
  }

  #passTo(end: number): void {
    for (; this.#passed < end; this.#passed++) {
      if (!this.#options.moving.has(this.#passed)) this.#pass(this.#passed);
    }
  }

  #pass(event: number): void {
    const request = this.#requestOf.get(event);
    if (request === undefined || this.#written.has(request)) return this.#write(event);
    const held = this.#held.get(request);
    if (held) held.push(event);
    else this.#held.set(request, [event]);
  }

  #write(event: number): void {
    this.#written.add(event);
    for (const waiting of this.#held.get(event) ?? []) this.#write(waiting);
    this.#held.delete(event);
  }

  /** Reports whether a message is a request that the server answers at once, unlike a stream of events. */
  #isAnswered(event: number): boolean {
    const own = this.#entries.filter((entry) => entry.event === event);
    return own.every(({ message }) => isRequest(message) && !isStream(message.method));
  }
}

/** Returns the request of the client that each event belongs to, as far as one is known. */
function requestsOf(entries: readonly SessionEntry[]): Map<number, number> {
  const links = correlateEntries(entries);
  const causes = causesOf(entries, links);
  const requests = new Map<number, number>();
  const streams = new Map<number, number>();
  for (const { event, from, message, frame } of entries) {
    const { stream } = frame;
    if (from === 'client' && message !== undefined && stream !== undefined && !streams.has(stream))
      streams.set(stream, event);
  }
  for (const entry of entries) {
    const named = requestNamedBy(entry, { links, causes });
    const ofStream = entry.message === undefined ? streams.get(entry.frame.stream ?? -1) : undefined;
    const request = named === undefined ? ofStream : entries[named]?.event;
    if (request !== undefined && request !== entry.event) requests.set(entry.event, request);
  }
  return requests;
}

/** Returns the request of the client that led to a message of the server, or to the question that the client answers. */
function requestNamedBy(
  { index, from, message }: SessionEntry,
  { links, causes }: { links: Links; causes: readonly (Cause | undefined)[] },
): number | undefined {
  if (message === undefined) return undefined;
  if (from === 'server') return causes[index]?.ambient === false ? causes[index].entry : undefined;
  const question = links.requestOf.get(index) ?? links.progressRequestOf.get(index);
  return links.cancelledRequestOf.get(index) ?? causes[question ?? -1]?.entry;
}
