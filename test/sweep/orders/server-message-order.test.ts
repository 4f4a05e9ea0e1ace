import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import type { FaultTransport } from '../../../src/faults/fault.ts';
import { concurrentMessages } from '../../../src/sweep/orders/concurrent-messages.ts';
import { countOrders } from '../../../src/sweep/orders/count-orders.ts';
import { withoutMessages } from '../../../src/sweep/orders/ordered-message.ts';
import { serverMessageOrders } from '../../../src/sweep/orders/server-message-order.ts';
import { call, cassette, client, notification, progress, request, result, server } from '../../support/conversation.ts';

const log = (data: string) => notification('message', { level: 'info', data });
const question = (id: string) => request(id, 'roots/list');
const roots = (id: string) => ({ jsonrpc: '2.0', id, result: { roots: [] } });

/** Returns the orders of each group of concurrent messages, by the positions of the server's messages. */
function ordersOf(frames: readonly Frame[], transport: FaultTransport = 'stdio'): string[][] {
  const groups = serverMessageOrders(cassette(...frames), transport).flatMap(concurrentMessages);
  return groups.map((group) => {
    const { total, at } = countOrders(group);
    return Array.from({ length: Number(total) }, (_, n) =>
      at(BigInt(n))
        .map((index) => group.messages[index]!.message)
        .join(' '),
    );
  });
}

describe('the messages of a server', () => {
  it('have one order if each answers a request that followed the message before', () => {
    expect(
      ordersOf([client(call(1, 'a')), server(result(1, 'a')), client(call(2, 'b')), server(result(2, 'b'))]),
    ).toEqual([]);
  });

  it('have every order if they answer requests in flight at once', () => {
    const asked = [client(call(1, 'a')), client(call(2, 'b')), client(call(3, 'c'))];
    const answered = [server(result(2, 'b')), server(result(1, 'a')), server(result(3, 'c'))];
    expect(ordersOf([...asked, ...answered])).toEqual([['1 2 3', '1 3 2', '2 1 3', '2 3 1', '3 1 2', '3 2 1']]);
  });

  it('cannot come before a request that its client made after an answer', () => {
    const frames = [
      client(call(1, 'a')),
      client(call(2, 'slow')),
      server(result(1, 'a')),
      client(call(3, 'follows')),
      server(result(3, 'c')),
      server(result(2, 'b')),
    ];
    expect(ordersOf(frames)).toEqual([['1 2 3', '1 3 2', '3 1 2']]);
  });

  it('keep the order of progress and its answer, among those of another call', () => {
    const frames = [
      client(call(1, 'a', {}, 'p')),
      client(call(2, 'b')),
      server(progress('p', 1)),
      server(progress('p', 2)),
      server(result(1, 'a')),
      server(result(2, 'b')),
    ];
    expect(ordersOf(frames)).toEqual([['1 2 3 4', '1 2 4 3', '1 4 2 3', '4 1 2 3']]);
  });

  it('come after the answer to the question before them', () => {
    const frames = [
      client(call(1, 'a')),
      client(call(2, 'b')),
      server(question('q')),
      client(roots('q')),
      server(result(1, 'a')),
      server(result(2, 'b')),
    ];
    expect(ordersOf(frames)).toEqual([['1 2 3', '1 3 2', '3 1 2']]);
  });

  it('have an order for a log message and an answer, and one for log messages among themselves', () => {
    const frames = [client(call(1, 'a')), server(log('one')), server(log('two')), server(result(1, 'a'))];
    expect(ordersOf(frames)).toEqual([['1 2 3', '1 3 2', '3 1 2']]);
  });

  it('are in groups, of which each comes wholly before the next', () => {
    const pair = (id: number) => [
      client(call(id, 'a')),
      client(call(id + 1, 'b')),
      server(result(id, 'a')),
      server(result(id + 1, 'b')),
    ];
    expect(ordersOf([...pair(1), ...pair(3)])).toEqual([
      ['1 2', '2 1'],
      ['3 4', '4 3'],
    ]);
  });

  it('leave out those that a client does not get', () => {
    const frames = [1, 2, 3].flatMap((id) => [client(call(id, 'a'))]);
    const answers = [1, 2, 3].map((id) => server(result(id, 'a')));
    const [session = []] = serverMessageOrders(cassette(...frames, ...answers), 'stdio');
    const kept = withoutMessages(session, ({ message }) => message !== 2);
    expect(kept.map(({ message, after, alsoAfter }) => [message, after, [...alsoAfter]])).toEqual([
      [1, 0, []],
      [3, 0, []],
    ]);
  });
});

describe('over HTTP', () => {
  const asked = [client(call(1, 'a', {}, 'p')), client(call(2, 'b'))];

  it('progress has no order among the messages of other streams', () => {
    const frames = [...asked, server(progress('p', 1)), server(result(1, 'a')), server(result(2, 'b'))];
    expect(ordersOf(frames, 'http')).toEqual([['1 2 3', '1 3 2']]);
    expect(ordersOf(frames, 'stdio')).toEqual([['1 2 3', '1 3 2', '3 1 2']]);
  });

  it('a log message comes before the answer that ends its stream', () => {
    const frames = [client(call(1, 'a')), server(log('one')), server(result(1, 'a'))];
    expect(ordersOf(frames, 'http')).toEqual([]);
  });

  it('answers on different streams have every order', () => {
    expect(ordersOf([...asked, server(result(1, 'a')), server(result(2, 'b'))], 'http')).toEqual([['1 2', '2 1']]);
  });
});
