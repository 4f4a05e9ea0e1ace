import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/kernel/random.ts';
import type { ConcurrentMessages } from '../../../src/sweep/orders/concurrent-messages.ts';
import { countOrders } from '../../../src/sweep/orders/count-orders.ts';
import type { OrderedMessage } from '../../../src/sweep/orders/ordered-message.ts';

/** Messages with an order of causality, and with pairs that a client cannot tell apart. */
function group(
  size: number,
  precedes: (first: number, second: number) => boolean = () => false,
  commutes: (one: number, other: number) => boolean = () => false,
): ConcurrentMessages {
  const messages = Array.from(
    { length: size },
    (_, index): OrderedMessage => ({
      message: index + 1,
      line: index + 1,
      title: `message ${index + 1}`,
      stream: undefined,
      isReport: false,
      after: 0,
      alsoAfter: new Set(),
    }),
  );
  return { messages, precedes, commutes };
}

/** Counts the orders by brute force: all permutations that causality allows, of which neighbours that commute may be swapped. */
function countedByHand({ messages, precedes, commutes }: ConcurrentMessages): number {
  const orders = permutations(messages.map((_, index) => index)).filter((order) =>
    order.every((one, at) => order.slice(at + 1).every((later) => later > one || !precedes(later, one))),
  );
  const classOf = new Map(orders.map((order) => [order.join(), order.join()]));
  const find = (name: string): string => (classOf.get(name) === name ? name : find(classOf.get(name)!));
  for (const order of orders) {
    for (let at = 1; at < order.length; at++) {
      if (!commutes(order[at - 1]!, order[at]!)) continue;
      const swapped = order
        .with(at - 1, order[at]!)
        .with(at, order[at - 1]!)
        .join();
      if (classOf.has(swapped)) classOf.set(find(swapped), find(order.join()));
    }
  }
  return new Set([...classOf.keys()].map(find)).size;
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((one) => one !== item)).map((rest) => [item, ...rest]));
}

/** Draws an order of causality that is transitive, and pairs that commute. */
function drawnGroup(seed: number): ConcurrentMessages {
  const random = seededRandom(seed);
  const size = 2 + Math.floor(random() * 5);
  const before = Array.from({ length: size }, () => new Set<number>());
  for (let second = 1; second < size; second++) {
    for (let first = 0; first < second; first++) {
      if (random() > 0.25) continue;
      for (const one of [first, ...before[first]!]) before[second]!.add(one);
    }
  }
  const streams = before.map(() => Math.floor(random() * 3));
  const areReports = before.map(() => random() < 0.5);
  return group(
    size,
    (first, second) => before[second]!.has(first),
    (one, other) => streams[one] !== streams[other] && (areReports[one]! || areReports[other]!),
  );
}

describe('orders are counted', () => {
  it.each([
    [2, 2n],
    [7, 5_040n],
    [10, 3_628_800n],
  ])('of %i independent messages: %i', (size, total) => {
    expect(countOrders(group(size))).toMatchObject({ total });
  });

  it('as by brute force, each once, from the recorded one', () => {
    for (let seed = 0; seed < 300; seed++) {
      const drawn = drawnGroup(seed);
      const { total, at, reach } = countOrders(drawn);
      expect([seed, Number(total), reach]).toEqual([seed, countedByHand(drawn), undefined]);
      const orders = Array.from({ length: Number(total) }, (_, n) => at(BigInt(n)).join());
      expect(new Set(orders).size).toBe(orders.length);
      expect(orders[0]).toBe(drawn.messages.map((_, index) => index).join());
    }
  });

  it('with fewer messages that pass each other, if there are too many', () => {
    const { total, reach, at } = countOrders(group(50));
    expect(reach).toBe(8);
    expect(total).toBeGreaterThan(10n ** 30n);
    const last = at(total - 1n);
    expect(last.toSorted((one, other) => one - other)).toEqual(group(50).messages.map((_, index) => index));
    expect(last.every((message, place) => last.slice(place).every((later) => message - later <= 8))).toBe(true);
  });

  it('of a slow message among many in a fixed order', () => {
    const slow = 0;
    const { total, reach } = countOrders(group(60, (first, second) => first !== slow && second !== slow));
    expect([total, reach]).toEqual([60n, undefined]);
  });
});
