import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { clientMessageOrder } from '../../../src/sweep/orders/client-message-order.ts';
import { concurrentMessages } from '../../../src/sweep/orders/concurrent-messages.ts';
import { countOrders } from '../../../src/sweep/orders/count-orders.ts';
import {
  call,
  cancel,
  cassette,
  client,
  notification,
  progress,
  request,
  result,
  server,
} from '../../support/conversation.ts';

const question = (id: string) => request(id, 'roots/list');
const roots = (id: string) => ({ jsonrpc: '2.0', id, result: { roots: [] } });

/** Returns the orders of each group of concurrent messages, by the positions of the client's messages. */
function ordersOf(...frames: readonly Frame[]): string[][] {
  return concurrentMessages(clientMessageOrder(cassette(...frames))).map((group) => {
    const { total, at } = countOrders(group);
    return Array.from({ length: Number(total) }, (_, n) =>
      at(BigInt(n))
        .map((index) => group.messages[index]!.message)
        .join(' '),
    );
  });
}

describe('the messages of a client', () => {
  it('have one order if each follows an answer to the one before', () => {
    expect(
      ordersOf(client(call(1, 'a')), server(result(1, 'a')), client(call(2, 'b')), server(result(2, 'b'))),
    ).toEqual([]);
  });

  it('have every order if they are requests in flight at once', () => {
    expect(ordersOf(...[1, 2, 3].map((id) => client(call(id, 'a'))), server(result(2, 'b')))).toEqual([
      ['1 2 3', '1 3 2', '2 1 3', '2 3 1', '3 1 2', '3 2 1'],
    ]);
  });

  it('follow the request whose answer came before them, and pass the others', () => {
    expect(
      ordersOf(
        client(call(1, 'a')),
        client(call(2, 'slow')),
        server(result(1, 'a')),
        client(call(3, 'follows')),
        server(result(3, 'c')),
        server(result(2, 'b')),
      ),
    ).toEqual([['1 2 3', '1 3 2', '2 1 3']]);
  });

  it('follow the request whose progress came before them', () => {
    expect(ordersOf(client(call(1, 'a', {}, 'p')), server(progress('p', 1)), client(call(2, 'b')))).toEqual([]);
  });

  it('keep the handshake first, and streams of events in their place', () => {
    const opening = [client(request(0, 'initialize')), server(result(0, '')), client(notification('initialized'))];
    const calls = [client(call(1, 'a')), client(call(2, 'b'))];
    expect(ordersOf(...opening, ...calls)).toEqual([['3 4', '4 3']]);
    expect(ordersOf(client(call(1, 'a')), client(request(2, 'subscriptions/listen')), client(call(3, 'b')))).toEqual(
      [],
    );
  });

  it('follow the question that they answer, and what the client had received before', () => {
    expect(
      ordersOf(
        client(call(1, 'a')),
        server(question('q')),
        server(question('r')),
        client(roots('q')),
        client(roots('r')),
        server(result(1, 'a')),
      ),
    ).toEqual([['2 3', '3 2']]);
  });

  it('follow an answer to a question if the answer to its request came before them', () => {
    expect(
      ordersOf(
        client(call(1, 'a')),
        server(question('q')),
        client(roots('q')),
        server(result(1, 'a')),
        client(call(2, 'b')),
      ),
    ).toEqual([]);
  });

  it('cancel no request before it is sent', () => {
    expect(ordersOf(client(call(1, 'a')), client(call(2, 'b')), client(cancel(1)))).toEqual([
      ['1 2 3', '1 3 2', '2 1 3'],
    ]);
  });

  it.each([
    ['notifications of one method', notification('roots/list_changed'), notification('roots/list_changed')],
    ['levels of logging', request(1, 'logging/setLevel', { level: 'info' }), request(2, 'logging/setLevel')],
    ['requests about a task', request(1, 'tasks/get', { taskId: 't' }), request(2, 'tasks/cancel', { taskId: 't' })],
    [
      'a subscription and its end',
      request(1, 'resources/subscribe', { uri: 'a:b' }),
      request(2, 'resources/unsubscribe', { uri: 'a:b' }),
    ],
    [
      'event subscriptions',
      request(1, 'events/subscribe', { name: 'e' }),
      request(2, 'events/unsubscribe', { name: 'e' }),
    ],
  ])('keep the order of %s', (_, one, other) => {
    expect(ordersOf(client(one), client(other))).toEqual([]);
  });

  it('have every order if they are about different tasks or subscriptions', () => {
    const two = (method: string, key: string) =>
      ordersOf(client(request(1, method, { [key]: 'a' })), client(request(2, method, { [key]: 'b' })));
    expect([two('tasks/get', 'taskId'), two('resources/subscribe', 'uri')]).toEqual([
      [['1 2', '2 1']],
      [['1 2', '2 1']],
    ]);
  });

  it('leave out answers to pings, which the player sends by itself', () => {
    const ping = [server(request('p', 'ping')), client({ jsonrpc: '2.0', id: 'p', result: {} })];
    expect(ordersOf(client(call(1, 'a')), ...ping, client(call(2, 'b')), client(call(3, 'c')))).toEqual([
      ['3 4', '4 3'],
    ]);
  });

  it('are one message in a batch', () => {
    const batch = JSON.stringify([call(1, 'a'), call(2, 'b')]);
    const found = clientMessageOrder(
      cassette(client(batch), client(call(3, 'c')), server(result(2, 'b')), client(call(4, 'd'))),
    );
    expect(found.map(({ message, line, after }) => [message, line, after])).toEqual([
      [1, 1, 0],
      [3, 2, 0],
      [4, 4, 1],
    ]);
  });
});
