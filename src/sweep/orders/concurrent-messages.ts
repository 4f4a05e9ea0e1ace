import type { Cassette } from '../../cassette/cassette.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import { mustPrecede, type OrderedMessage } from './ordered-message.ts';
import { serverMessageOrders } from './server-message-order.ts';

/** Messages of the server whose order causality leaves open in part. Every other message comes before or after all of them. */
export interface ConcurrentMessages {
  /** In recorded order. */
  messages: readonly OrderedMessage[];
  /** Reports whether a message must come before a later one. Both are indexes in `messages`. */
  precedes(first: number, second: number): boolean;
  /** Reports whether a client cannot tell two orders apart in which only these two neighbours are swapped. */
  commutes(one: number, other: number): boolean;
}

/** Divides the messages of a session into groups, of which each comes wholly before the next. Single messages are left out. */
export function concurrentMessages(messages: readonly OrderedMessage[]): ConcurrentMessages[] {
  const groups: ConcurrentMessages[] = [];
  /** Smallest `after` of this message and all later ones. */
  const least: number[] = [];
  for (let index = messages.length - 1; index >= 0; index--) {
    least[index] = Math.min(messages[index]!.after, least[index + 1] ?? Number.POSITIVE_INFINITY);
  }
  let start = 0;
  for (let end = 1; end <= messages.length; end++) {
    if ((least[end] ?? end) < end) continue;
    if (end - start > 1) groups.push(groupOf(messages, start, end));
    start = end;
  }
  return groups;
}

/** Reports whether a mock server may send messages of a cassette, other than reports, in another order than recorded. */
export function mayReorder(cassette: Cassette, transport: FaultTransport): boolean {
  const groups = serverMessageOrders(cassette, transport).flatMap(concurrentMessages);
  return groups.some(({ messages }) => messages.filter(({ isReport }) => !isReport).length > 1);
}

function groupOf(all: readonly OrderedMessage[], start: number, end: number): ConcurrentMessages {
  const messages = all.slice(start, end);
  return {
    messages,
    precedes: (first, second) => mustPrecede(all, start + first, start + second),
    commutes: (one, other) => areIndependent(messages[one]!, messages[other]!),
  };
}

/**
 * Reports whether two messages have no order for a client: streams of HTTP keep none among them, and progress or a log
 * message is about its own request only.
 */
export function areIndependent(
  one: Pick<OrderedMessage, 'stream' | 'isReport'>,
  other: Pick<OrderedMessage, 'stream' | 'isReport'>,
): boolean {
  return one.stream !== other.stream && (one.isReport || other.isReport);
}
