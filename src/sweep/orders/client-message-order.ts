import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, isMessageEntry, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isNotification, isRequest, paramsOf } from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-table.ts';
import { causesOf } from '../../replay/plan/causes.ts';
import type { Cause } from '../../replay/plan/requests-in-flight.ts';
import { clientMessages } from '../server/misbehaviour-cases.ts';
import {
  argumentsOf,
  type EarlierMessages,
  type OrderedMessage,
  withEarlierOnes,
  withoutMessages,
} from './ordered-message.ts';

/**
 * Returns the messages of the recorded client in recorded order, with the order that causality asks for: a message follows
 * all that the client had received before, and so the requests that led to it. The handshake and streams of events keep
 * their place. Notifications of one method, and requests about one task or subscription, keep their order.
 */
export function clientMessageOrder(cassette: Cassette): OrderedMessage[] {
  const entries = eventsToEntries(cassette.events);
  const links = correlateEntries(entries);
  const causes = causesOf(entries, links);
  const named = new Map<number, { message: number; title: string }>();
  for (const [index, { entry, title }] of clientMessages(cassette).entries()) {
    // A batch has one line and several messages: the first one stands for it.
    if (!named.has(entry.event)) named.set(entry.event, { message: index + 1, title });
  }
  const found = new EarlierClientMessages({ entries, links, causes });
  const ordered = found.messages.map(({ entry, ...earlier }) => ({
    ...named.get(entry.event)!,
    line: entry.line,
    ...argumentsOf(entry.message),
    stream: undefined,
    isReport: false,
    ...earlier,
  }));
  const unplayed = new Set(
    found.messages.flatMap(({ entry }) => (isPingAnswer(entry, { entries, links }) ? [entry.line] : [])),
  );
  return withoutMessages(ordered, ({ line }) => !unplayed.has(line));
}

/** Reports whether a message answers a ping of the server. The player answers live pings by itself. */
function isPingAnswer({ index }: SessionEntry, { entries, links }: Pick<Session, 'entries' | 'links'>): boolean {
  const question = entries[links.requestOf.get(index) ?? -1]?.message;
  return isRequest(question) && question.method === 'ping';
}

interface Session {
  entries: readonly SessionEntry[];
  links: Links;
  /** Cause of each entry of the server. */
  causes: readonly (Cause | undefined)[];
}

interface FoundMessage extends EarlierMessages {
  /** First entry of the message. */
  entry: SessionEntry;
}

/** Finds, for each message of a client, those that come before it. A batch is one message. */
class EarlierClientMessages {
  readonly messages: FoundMessage[] = [];
  readonly #session: Session;
  /** Index of a message, by its event. */
  readonly #byEvent = new Map<number, number>();
  /** Messages that led to what the client has received so far. */
  #received: EarlierMessages = { after: 0, alsoAfter: new Set() };
  /** Answers and notifications of the client for the questions that a request led to, by that request's entry. */
  readonly #repliesFor = new Map<number, number[]>();
  /** Number of messages up to the latest one that keeps its place. */
  #fixed = 0;
  /** Latest message about each subject that has an order. */
  readonly #latest = new Map<string, number>();

  constructor(session: Session) {
    this.#session = session;
    for (const entry of session.entries) {
      if (!isMessageEntry(entry)) continue;
      if (entry.from === 'server') this.#receive(entry);
      else this.#send(entry);
    }
  }

  #receive({ index }: SessionEntry): void {
    const { causes } = this.#session;
    const { entry: cause, after } = causes[index] ?? {};
    const replies = this.#repliesFor.get(cause ?? -1) ?? [];
    const direct = [cause, after].flatMap((one) => this.#indexOf(one) ?? []);
    const before = this.#received;
    const all = { after: before.after, direct: [...before.alsoAfter, ...direct, ...replies] };
    this.#received = withEarlierOnes(this.messages, all);
  }

  #send(entry: SessionEntry): void {
    const { links, causes } = this.#session;
    const question = links.requestOf.get(entry.index) ?? links.progressRequestOf.get(entry.index);
    const direct = [...this.#received.alsoAfter];
    const request = this.#indexOf(links.cancelledRequestOf.get(entry.index));
    if (request !== undefined) direct.push(request);
    const isFixed = keepsPlace(entry);
    const known = this.#byEvent.get(entry.event);
    const index = known ?? this.messages.length;
    const key = orderedSubject(entry);
    const latest = this.#latest.get(key ?? '');
    if (latest !== undefined && latest < index) direct.push(latest);
    if (key !== undefined) this.#latest.set(key, index);
    const after = Math.max(this.#received.after, isFixed ? index : this.#fixed);
    const earlier = withEarlierOnes(this.messages, { after, direct });
    if (known === undefined) this.messages.push({ entry, ...earlier });
    else this.messages[known] = { ...this.messages[known]!, ...united(this.messages, known, earlier) };
    this.#byEvent.set(entry.event, index);
    if (isFixed) this.#fixed = index + 1;
    const cause = causes[question ?? -1]?.entry;
    if (cause !== undefined) this.#repliesFor.set(cause, [...(this.#repliesFor.get(cause) ?? []), index]);
  }

  #indexOf(entry: number | undefined): number | undefined {
    return this.#byEvent.get(this.#session.entries[entry ?? -1]?.event ?? -1);
  }
}

/** Adds what comes before another part of a batch. */
function united(messages: readonly EarlierMessages[], known: number, { after, alsoAfter }: EarlierMessages) {
  const before = messages[known]!;
  const direct = [...before.alsoAfter, ...alsoAfter];
  return withEarlierOnes(messages, { after: Math.max(before.after, after), direct });
}

const HANDSHAKE: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'notifications/initialized']);

/** Reports whether all messages before this one stay before it, and all after it stay after it. */
function keepsPlace({ message }: SessionEntry): boolean {
  if (!isRequest(message) && !isNotification(message)) return false;
  return HANDSHAKE.has(message.method) || isStream(message.method);
}

/** Returns what a message is about, if the messages about it keep their order: the state of the session, or of a task. */
function orderedSubject({ message }: SessionEntry): string | undefined {
  if (isNotification(message)) {
    const { requestId, progressToken } = paramsOf(message);
    return JSON.stringify([message.method, requestId ?? progressToken]);
  }
  if (!isRequest(message)) return undefined;
  const { method } = message;
  const { taskId, uri, name } = paramsOf(message);
  if (method === 'logging/setLevel') return method;
  if (method.startsWith('tasks/') && taskId !== undefined) return JSON.stringify(['tasks', taskId]);
  if (method === 'resources/subscribe' || method === 'resources/unsubscribe')
    return JSON.stringify(['subscription', uri]);
  if (method === 'events/subscribe' || method === 'events/unsubscribe') return JSON.stringify(['events', name]);
  return undefined;
}
