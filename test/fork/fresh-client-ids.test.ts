import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../src/cassette/split-batches-into-entries.ts';
import { FreshClientIds } from '../../src/fork/fresh-client-ids.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { call, cancel, cassette, client, notification, progress, request, result } from '../support/conversation.ts';

/** Ids after a prefix whose client has used 0, 1, "a", and the progress token 3. */
function idsAfterPrefix() {
  const { events } = cassette(client(request(0, 'ping')), client(call(1, 'add', {}, 3)), client(request('a', 'ping')));
  const ids = new FreshClientIds(eventsToEntries(events));
  const through = (way: 'toServer' | 'toClient') => (message: object | string) => {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    const json = ids[way](new JsonText(text));
    return json && JSON.parse(json.text);
  };
  return { ids, toServer: through('toServer'), toClient: through('toClient') };
}

const subscription = (id: number | string) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });

describe('a request of the live client', () => {
  it('gets a number that the session has not seen, and its answer the own id', () => {
    const { toServer, toClient } = idsAfterPrefix();
    expect(toServer(call(0, 'add'))).toEqual(call(2, 'add'));
    expect(toServer(call('a', 'add'))).toEqual(call(4, 'add'));
    expect(toClient(result(4, 'second'))).toEqual(result('a', 'second'));
    expect(toClient(result(2, 'first'))).toEqual(result(0, 'first'));
  });

  it('gets the number as its progress token, and its progress the own token', () => {
    const { toServer, toClient } = idsAfterPrefix();
    expect(toServer(call(7, 'add', {}, 'mine'))).toEqual(call(2, 'add', {}, 2));
    expect(toClient(progress(2, 1))).toEqual(progress('mine', 1));
  });

  it('is cancelled by its number', () => {
    const { toServer } = idsAfterPrefix();
    toServer(call(7, 'add'));
    expect(toServer(cancel(7))).toEqual(cancel(2));
    expect(toServer(cancel(1))).toBeUndefined();
  });

  it('for a subscription has its notifications, until the server ends it', () => {
    const { toServer, toClient } = idsAfterPrefix();
    toServer(request(1, 'subscriptions/listen', {}));
    expect(toClient(notification('message', subscription(2)))).toEqual(notification('message', subscription(1)));
    expect(toClient(cancel(2))).toEqual(cancel(1));
    const ended = (id: number) => ({ jsonrpc: '2.0', id, result: subscription(id) });
    expect(toClient(ended(2))).toEqual(ended(1));
  });

  it('keeps all other text', () => {
    const { toServer } = idsAfterPrefix();
    const text = '{ "params" : {"id": 9007199254740993.0, "n":1e2} ,"id": 5, "method":"tools/call", "jsonrpc":"2.0"}';
    expect(toServer(text)).toEqual(JSON.parse(text.replace('"id": 5', '"id": 2')));
  });
});

describe('of the requests of the prefix', () => {
  it('late answers, progress and notifications are not for the live client', () => {
    const { toServer, toClient } = idsAfterPrefix();
    toServer(call(1, 'add', {}, 1));
    expect(toClient(result(1, 'late'))).toBeUndefined();
    expect(toClient(progress(3, 1))).toBeUndefined();
    expect(toClient(notification('message', subscription(1)))).toBeUndefined();
  });
});

describe('what belongs to no request of the client passes', () => {
  it('a request of the server, its answer, and its cancel', () => {
    const { toServer, toClient } = idsAfterPrefix();
    toServer(call(0, 'add'));
    const asks = request(2, 'roots/list');
    expect(toClient(asks)).toEqual(asks);
    expect(toClient(cancel(2))).toEqual(cancel(2));
    expect(toServer(result(2, 'roots'))).toEqual(result(2, 'roots'));
    expect(toServer(progress(2, 1))).toEqual(progress(2, 1));
  });

  it('a notification, and an error without an id', () => {
    const { toClient } = idsAfterPrefix();
    const changed = notification('tools/list_changed');
    expect(toClient(changed)).toEqual(changed);
    const error = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no JSON' } };
    expect(toClient(error)).toEqual(error);
  });
});

it('adopts what the live client has begun before: its subscriptions, and its progress tokens', () => {
  const { toServer, toClient, ids } = idsAfterPrefix();
  ids.adopt({ subscriptions: new Map([['1', '"live"']]), tokens: new Map([['3', '"mine"']]) });
  const updated = notification('resources/updated', subscription(1));
  expect(toClient(updated)).toEqual(notification('resources/updated', subscription('live')));
  expect(toClient(progress(3, 2))).toEqual(progress('mine', 2));
  expect(toServer(cancel('live'))).toEqual(cancel(1));
});
