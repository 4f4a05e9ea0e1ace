import { concurrentMessages } from '../../orders/concurrent-messages.ts';
import { mustPrecede, type OrderedMessage } from '../../orders/ordered-message.ts';
import { messagesInOrder } from './reorder-session.ts';

/** Maximum number of orders in which requests are made one after the other to explain an answer. */
const ORDERS_MAX = 24;

/**
 * Returns orders in which a server may have taken requests that were in flight at once: the order in which they were sent,
 * the recorded one, and those in which one message of either has another place.
 */
export function ordersOneByOne(
  messages: readonly OrderedMessage[],
  order: readonly OrderedMessage[],
): (readonly OrderedMessage[])[] {
  const moved = new Set(order.map(({ line }) => line));
  const group = concurrentMessages(messages).find((one) => one.messages.some(({ line }) => moved.has(line)));
  if (group === undefined) return [order];
  const own = new Set(group.messages.map(({ line }) => line));
  const sent = messagesInOrder({ messages, order }).filter(({ line }) => own.has(line));
  const found = new Map<string, readonly OrderedMessage[]>();
  const indexes = new Map(messages.map(({ line }, index) => [line, index]));
  for (const one of withOtherPlaces([sent, group.messages])) {
    const key = one.map(({ line }) => line).join();
    if (!found.has(key) && isPossible(one)) found.set(key, one);
    if (found.size === ORDERS_MAX) break;
  }
  return [...found.values()];

  function isPossible(one: readonly OrderedMessage[]): boolean {
    const at = one.map(({ line }) => indexes.get(line)!);
    return at.every((first, place) =>
      at.slice(place + 1).every((later) => later > first || !mustPrecede(messages, later, first)),
    );
  }
}

/** Returns the given orders, and then those in which one message of them has another place. */
function* withOtherPlaces(orders: readonly (readonly OrderedMessage[])[]): Generator<readonly OrderedMessage[]> {
  yield* orders;
  for (const order of orders) {
    for (const [from, message] of order.entries()) {
      const rest = order.toSpliced(from, 1);
      for (let to = 0; to < order.length; to++) yield rest.toSpliced(to, 0, message);
    }
  }
}
