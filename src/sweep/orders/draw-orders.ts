import { seededRandom } from '../../kernel/random.ts';
import type { ConcurrentMessages } from './concurrent-messages.ts';
import { type CountedOrders, countOrders } from './count-orders.ts';
import type { OrderedMessage } from './ordered-message.ts';

export interface DrawnOrders {
  /** Orders other than the recorded one, from the smallest difference to the largest. Each has only the messages that move. */
  orders: (readonly OrderedMessage[])[];
  /** Number of all orders other than the recorded one. */
  of: bigint;
  /** As in {@link CountedOrders.reach}: the smallest of all groups. */
  reach?: number;
}

/**
 * Draws orders of concurrent messages, each in one group. First come the orders in which a single message passes others,
 * because most bugs need only two messages. Equal seeds draw equal orders.
 */
export function drawOrders(
  groups: readonly ConcurrentMessages[],
  { count, seed }: { count: number; seed: number },
): DrawnOrders {
  const counted = groups.map((group) => ({ group, orders: countOrders(group) }));
  const of = counted.reduce((sum, { orders }) => sum + orders.total - 1n, 0n);
  const reaches = counted.flatMap(({ orders: { reach } }) => reach ?? []);
  const drawn = of <= BigInt(count) ? counted.flatMap(everyOrder) : someOrders(counted, { count, seed, of });
  const sorted = drawn
    .map((order) => ({ order, swaps: countSwaps(order) }))
    .sort((one, other) => one.swaps - other.swaps || one.order[0]!.message - other.order[0]!.message);
  return {
    orders: sorted.map(({ order }) => order),
    of,
    ...(reaches.length > 0 && { reach: Math.min(...reaches) }),
  };
}

interface Counted {
  group: ConcurrentMessages;
  orders: CountedOrders;
}

function everyOrder({ group, orders }: Counted): (readonly OrderedMessage[])[] {
  return Array.from({ length: Number(orders.total) - 1 }, (_, n) => movedIn(group, orders.at(BigInt(n + 1))));
}

function someOrders(
  counted: readonly Counted[],
  { count, seed, of }: { count: number; seed: number; of: bigint },
): (readonly OrderedMessage[])[] {
  const random = seededRandom(seed);
  const simple = new Map<string, readonly OrderedMessage[]>();
  for (const { group } of counted) for (const order of simpleOrders(group)) add(simple, movedIn(group, order));
  if (simple.size >= count) return drawItems([...simple.values()], count, random);
  const drawn = new Map(simple);
  while (drawn.size < count) {
    let number = randomBelow(of, random);
    for (const { group, orders } of counted) {
      const others = orders.total - 1n;
      if (number < others) {
        add(drawn, movedIn(group, orders.at(number + 1n)));
        break;
      }
      number -= others;
    }
  }
  return [...drawn.values()];
}

function add(orders: Map<string, readonly OrderedMessage[]>, order: readonly OrderedMessage[]): void {
  const key = order.map(({ message }) => message).join();
  if (!orders.has(key)) orders.set(key, order);
}

/**
 * Returns, for each two messages that may change places, the order that differs least from the recorded one. Orders that
 * a client cannot tell apart have the same form.
 */
function* simpleOrders(group: ConcurrentMessages): Generator<number[]> {
  const { messages, precedes, commutes } = group;
  const most = passedMax(messages.length);
  const all = messages.map((_, index) => index);
  for (let later = 1; later < messages.length; later++) {
    for (let earlier = Math.max(0, later - most); earlier < later; earlier++) {
      if (precedes(earlier, later) || commutes(earlier, later)) continue;
      const moved = [later];
      // What the later message depends on moves with it.
      for (let one = later - 1; one > earlier; one--) {
        if (moved.some((other) => precedes(one, other))) moved.unshift(one);
      }
      const rest = all.slice(earlier, later + 1).filter((index) => !moved.includes(index));
      const form = firstForm(group, [...moved, ...rest]);
      yield [...all.slice(0, earlier), ...form, ...all.slice(later + 1)];
    }
  }
}

/** Maximum number of messages that one passes in a simple order. It bounds their number in a long session. */
function passedMax(messages: number): number {
  return messages > LONG ? 16 : 64;
}

const LONG = 200;

/** Returns the first one, by the indexes of messages, of the orders that a client cannot tell apart. */
function firstForm({ messages, precedes, commutes }: ConcurrentMessages, order: readonly number[]): number[] {
  if (!order.some((index) => messages[index]!.isReport)) return [...order];
  const isFree = (one: number, other: number) =>
    commutes(one, other) && !precedes(Math.min(one, other), Math.max(one, other));
  const left = [...order];
  return order.map(() => {
    const ready = left.filter((one, at) => left.slice(0, at).every((earlier) => isFree(earlier, one)));
    const first = Math.min(...ready);
    left.splice(left.indexOf(first), 1);
    return first;
  });
}

/** Returns the messages of an order from the first to the last one at another place than recorded. */
function movedIn({ messages }: ConcurrentMessages, order: readonly number[]): OrderedMessage[] {
  const start = order.findIndex((index, at) => index !== at);
  const end = order.findLastIndex((index, at) => index !== at);
  return order.slice(start, end + 1).map((index) => messages[index]!);
}

/** Counts the pairs of messages that are swapped. */
export function countSwaps(order: readonly OrderedMessage[]): number {
  return order.reduce(
    (sum, { message }, at) => sum + order.slice(at + 1).filter((later) => later.message < message).length,
    0,
  );
}

function drawItems<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

const DIGIT = 2 ** 30;

/** Returns a random number below `limit`, whose distribution is even but for one part in a billion. */
function randomBelow(limit: bigint, random: () => number): bigint {
  let [number, range] = [0n, 1n];
  while (range < limit * BigInt(DIGIT)) {
    number = number * BigInt(DIGIT) + BigInt(Math.floor(random() * DIGIT));
    range *= BigInt(DIGIT);
  }
  return number % limit;
}
