import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../../src/cassette/cassette.ts';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import type { Frame } from '../../../../src/channel/frame.ts';
import { isResponse } from '../../../../src/protocol/message.ts';
import { clientMessageOrder } from '../../../../src/sweep/orders/client-message-order.ts';
import { concurrentMessages } from '../../../../src/sweep/orders/concurrent-messages.ts';
import { drawOrders } from '../../../../src/sweep/orders/draw-orders.ts';
import { namedOrder } from '../../../../src/sweep/orders/order-cases.ts';
import { ordersOneByOne } from '../../../../src/sweep/server/orders/orders-one-by-one.ts';
import { reorderSession } from '../../../../src/sweep/server/orders/reorder-session.ts';
import { call, cassette, client, request, result, server } from '../../../support/conversation.ts';

const roots = (id: string) => ({ jsonrpc: '2.0', id, result: { roots: [] } });

/** Returns the lines of a session in another order: those of the client as numbers, those of the server as text. */
function linesOf(played: Cassette, positions: readonly number[], isOneByOne = false): (number | string)[] {
  const messages = clientMessageOrder(played);
  const named = positions.length === 0 ? { order: [] } : namedOrder([messages], positions, 'client');
  if ('why' in named) throw new Error(named.why);
  const reordered = reorderSession(played, { messages, order: named.order, isOneByOne });
  expect(reordered.recorded.map((event) => played.events[event])).toEqual(reordered.cassette.events);
  expect(reordered.moved.map((place) => reordered.cassette.events[place]!.line)).toEqual(
    named.order.map(({ line }) => line),
  );
  return reordered.cassette.events.map(({ frame, line }) => (frame.from === 'client' ? line : `${line}`));
}

const three = cassette(
  ...[1, 2, 3].map((id) => client(call(id, 'weather'))),
  ...[1, 2].map((id) => server(result(id, 'sunny'))),
  client(call(4, 'weather')),
  ...[3, 4].map((id) => server(result(id, 'sunny'))),
);

describe('a session with another order', () => {
  it('has the messages of the client in that order, and each after what the client had received', () => {
    expect(linesOf(three, [2, 1])).toEqual([2, 1, 3, '4', '5', 6, '7', '8']);
    expect(linesOf(three, [3, 1, 2])).toEqual([3, 1, 2, '4', '5', 6, '7', '8']);
    // The fourth request follows two answers, but not the third request.
    expect(linesOf(three, [4, 3])).toEqual([1, 2, '4', '5', 6, 3, '7', '8']);
  });

  it('has each request after the answer to the one before, if they are made one by one', () => {
    expect(linesOf(three, [2, 1], true)).toEqual([2, '5', 1, '4', 3, '7', 6, '8']);
  });

  it('has a question and its answer before the answer to its request, one by one', () => {
    const asks = cassette(
      client(call(1, 'ask')),
      client(call(2, 'ask')),
      server(request('q', 'roots/list')),
      server(request('r', 'roots/list')),
      client(roots('q')),
      client(roots('r')),
      server(result(1, 'a')),
      server(result(2, 'b')),
    );
    const withCauses = linesOf(asks, [4, 3]);
    expect(withCauses).toEqual([1, 2, '3', '4', 6, 5, '7', '8']);
    const oneByOne = linesOf(asks, [2, 1], true);
    expect([oneByOne.indexOf('8') < oneByOne.indexOf(1), oneByOne.length]).toEqual([true, 8]);
  });

  it('has the frames of a stream after the request that opens it', () => {
    const over = (frame: Frame, stream: number): Frame => ({ ...frame, stream }) as Frame;
    const head = (stream: number): Frame => ({ kind: 'http-response', at: 0, from: 'server', stream, status: 200 });
    const http = cassette(
      over(client(call(1, 'a')), 1),
      head(1),
      over(client(call(2, 'b')), 2),
      over(server(result(1, 'a')), 1),
      over(server(result(2, 'b')), 2),
    );
    expect(linesOf(http, [2, 1])).toEqual([3, 1, '2', '4', '5']);
  });
});

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'cassettes');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));

it.each(files)('%s keeps causality in every order that is drawn', (name) => {
  const played = loadCassette(join(folder, name));
  const messages = clientMessageOrder(played);
  expect(reorderSession(played, { messages, order: [] }).recorded).toEqual(played.events.map((_, event) => event));
  const { orders } = drawOrders(concurrentMessages(messages), { count: 8, seed: 1 });
  for (const order of orders) {
    for (const one of [order, ...ordersOneByOne(messages, order).slice(0, 1)]) {
      const { recorded } = reorderSession(played, { messages, order: one });
      expect(recorded.toSorted((a, b) => a - b)).toEqual(played.events.map((_, event) => event));
      const place = new Map(recorded.map((event, at) => [event, at]));
      let received = -1;
      const early = played.events.filter(({ frame }, event) => {
        if (frame.kind !== 'message') return false;
        if (frame.from === 'server') received = Math.max(received, place.get(event)!);
        return frame.from === 'client' && !isResponse(frame.json.value) && place.get(event)! < received;
      });
      expect(early).toEqual([]);
    }
  }
});

describe('orders in which a server may have taken requests', () => {
  const linesIn = (positions: readonly number[]) => {
    const messages = clientMessageOrder(three);
    const named = namedOrder([messages], positions, 'client');
    if ('why' in named) throw new Error(named.why);
    return ordersOneByOne(messages, named.order).map((order) => order.map(({ message }) => message).join(' '));
  };

  it('begin with the order of the client and the recorded one, and keep causality', () => {
    const found = linesIn([3, 2, 1]);
    expect(found.slice(0, 2)).toEqual(['3 2 1 4', '1 2 3 4']);
    expect(found).toEqual(expect.arrayContaining(['2 3 1 4', '1 3 2 4', '2 1 3 4', '3 1 2 4', '1 2 4 3']));
    expect(found.filter((order) => order.indexOf('4') < order.indexOf('2'))).toEqual([]);
  });
});
