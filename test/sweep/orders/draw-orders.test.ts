import { describe, expect, it } from 'vitest';
import { concurrentMessages } from '../../../src/sweep/orders/concurrent-messages.ts';
import { countSwaps, drawOrders } from '../../../src/sweep/orders/draw-orders.ts';
import { serverMessageOrders } from '../../../src/sweep/orders/server-message-order.ts';
import { call, cassette, client, notification, progress, result, server } from '../../support/conversation.ts';

function atOnce(count: number, { withProgress = false } = {}) {
  const ids = Array.from({ length: count }, (_, id) => id);
  return cassette(
    ...ids.map((id) => client(call(id, 'work', {}, id))),
    ...ids.flatMap((id) => [...(withProgress ? [server(progress(id, 1))] : []), server(result(id, 'done'))]),
  );
}

const drawn = (count: number, seed: number, tape = atOnce(7), transport: 'stdio' | 'http' = 'stdio') => {
  const groups = serverMessageOrders(tape, transport).flatMap(concurrentMessages);
  const { orders, ...rest } = drawOrders(groups, { count, seed });
  return { ...rest, orders, names: orders.map((order) => order.map(({ message }) => message).join()) };
};

describe('orders are drawn', () => {
  it('all, from the smallest difference to the largest, without the recorded one', () => {
    const { orders, names, of } = drawn(10_000, 1, atOnce(4));
    expect([orders.length, of, new Set(names).size]).toEqual([23, 23n, 23]);
    expect(names.slice(0, 3)).toEqual(['2,1', '3,2', '4,3']);
    expect(names.at(-1)).toBe('4,3,2,1');
    expect(orders.map(countSwaps)).toEqual(orders.map(countSwaps).toSorted((one, other) => one - other));
  });

  it('equal for equal seeds, and others for another', () => {
    expect(drawn(100, 1).of).toBe(5_039n);
    expect(drawn(100, 1).names).toEqual(drawn(100, 1).names);
    expect(drawn(100, 1).names).not.toEqual(drawn(100, 2).names);
    expect(new Set(drawn(100, 1).names).size).toBe(100);
  });

  it('first those with a single message that passes others', () => {
    const { names } = drawn(30, 1);
    for (const pair of ['2,1', '7,6', '3,1,2', '7,1,2,3,4,5,6']) expect(names).toContain(pair);
    expect(new Set(drawn(5, 1).names).size).toBe(5);
  });

  it('of fifty messages at once, which are too many to count', () => {
    const { orders, of, reach } = drawn(3_000, 1, atOnce(50));
    expect(orders).toHaveLength(3_000);
    expect([of > 10n ** 30n, reach]).toEqual([true, 8]);
  });

  it('over HTTP, each once for a client that cannot tell the places of progress apart', () => {
    const tape = atOnce(3, { withProgress: true });
    const [every, some] = [drawn(1_000, 1, tape, 'http'), drawn(4, 1, tape, 'http')];
    expect([every.of, every.orders.length]).toEqual([5n, 5]);
    expect(some.names.every((name) => every.names.includes(name))).toBe(true);
  });

  it('none of messages with one order', () => {
    const tape = cassette(client(call(1, 'a')), server(result(1, 'a')), server(notification('tools/list_changed')));
    expect(drawn(10, 1, cassette(client(call(1, 'a')), server(result(1, 'a')))).orders).toEqual([]);
    expect(drawn(10, 1, tape).names).toEqual(['2,1']);
  });
});
