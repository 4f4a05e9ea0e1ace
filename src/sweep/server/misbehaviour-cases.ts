import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import {
  eventsToEntries,
  isMessageEntry,
  type MessageEntry,
  type SessionEntry,
} from '../../cassette/split-batches-into-entries.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import type { When } from '../../faults/rules/when.ts';
import { isBatch } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { GridPoint } from '../grid-text.ts';
import type { InFlightWindow } from './in-flight-window.ts';
import type { ClientMessage, Misbehaviour } from './misbehaviour.ts';
import { MISBEHAVIOURS } from './misbehaviour-table.ts';

/** Point of a server sweep: one misbehaviour at one client message, or a pair of misbehaviours. */
export interface MisbehaviourCase extends GridPoint {
  misbehaviour: Misbehaviour;
  what: ClientMessage;
  /** Selects the message among those that the recorded client sends. */
  when: When;
  /** Window of the request without misbehaviour. Absent: no window is measured yet, or the message is not a request. */
  inFlight?: InFlightWindow | undefined;
  /**
   * Two points that happen in one session; the fields of this point are then those of the first. Absent: the point has
   * one misbehaviour.
   */
  pair?: { cases: readonly [MisbehaviourCase, MisbehaviourCase] };
}

/** Point that makes no sense at its request. */
export interface UnfitPoint {
  point: MisbehaviourCase;
  why: string;
}

/** Part of a point that a session needs. */
export type PlayedCase = Pick<MisbehaviourCase, 'misbehaviour' | 'what' | 'when' | 'inFlight'>;

/**
 * Returns the points of a sweep: each misbehaviour at each client message that it applies to, grouped by misbehaviour.
 */
export function misbehaviourCases(
  cassette: Cassette,
  names: readonly string[],
  transport: FaultTransport = 'stdio',
): MisbehaviourCase[] {
  const messages = clientMessages(cassette);
  return names.flatMap((name) => {
    const misbehaviour = MISBEHAVIOURS.get(name)!;
    return messages.flatMap((one, index): MisbehaviourCase[] => {
      const { what, when, title } = one;
      if (what === undefined || misbehaviour.concerns?.(what, transport) === false) return [];
      const message = index + 1;
      const { line } = what.entry;
      return [{ name: `${name}@${message}`, fault: name, message, line, title, misbehaviour, what, when }];
    });
  });
}

/**
 * Reports whether the cassette has a client request beside handshake and ping. Only such a request shows whether the
 * server still answers.
 */
export function hasCalls(cassette: Cassette): boolean {
  return clientMessages(cassette).some(({ what }) => what?.kind === 'request' && !HANDSHAKE.has(what.method));
}

const HANDSHAKE: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping']);

/** Message of the recorded client, as points name it. */
export interface ListedMessage {
  entry: MessageEntry;
  /**
   * Message to misbehave at. Absent: no misbehaviour applies to a batch, or to a response without a recorded request.
   */
  what?: ClientMessage;
  when: When;
  title: string;
}

/** Returns the messages of the recorded client. Their positions, from 1, are those of points. */
export function clientMessages({ events }: Cassette): ListedMessage[] {
  const entries = eventsToEntries(events);
  const { requestOf } = correlateEntries(entries);
  const counts = new Map<string, number>();
  return entries.filter(isOfClient).map((entry): ListedMessage => {
    const asked = entries[requestOf.get(entry.index) ?? -1]?.message;
    const what = clientMessage(entry, asked);
    if (what === undefined) return { entry, when: {}, title: 'message' };
    const { kind, method } = what;
    const { message } = entry;
    const subject = isRequest(message) ? subjectOf(message.method, message.params) : method;
    const title = kind === 'response' ? `answer to ${method}` : subject;
    const at = isRequest(message) ? { at: { '/id': message.id } } : {};
    const key = JSON.stringify([kind, method, at]);
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    return { entry, what, title, when: { from: 'client', kind, method, ...at, nth } };
  });
}

function isOfClient(entry: SessionEntry): entry is MessageEntry {
  return entry.from === 'client' && isMessageEntry(entry);
}

function clientMessage(entry: MessageEntry, asked: SessionEntry['message']): ClientMessage | undefined {
  const { message, frame } = entry;
  if (frame.kind !== 'message' || isBatch(frame.json)) return undefined;
  if (isResponse(message)) return isRequest(asked) ? { kind: 'response', method: asked.method, entry } : undefined;
  if (!('method' in message)) return undefined;
  return { kind: isRequest(message) ? 'request' : 'notification', method: message.method, entry };
}
