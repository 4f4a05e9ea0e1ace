import { expect, it } from 'vitest';
import { memoryPair } from '../../src/channel/memory-pair.ts';
import { MessageLog } from '../../src/journal/message-log.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const roots = { jsonrpc: '2.0', id: 1, method: 'roots/list' };

it('tells requests, notifications and answers apart, and keeps their order', () => {
  const received = new MessageLog(new ManualClock());
  const { journal } = received;
  received.addFromServer(roots, { session: 1 });
  received.addFromClient(ping, { session: 1, headers: { authorization: 'x' } });
  received.addFromClient({ jsonrpc: '2.0', method: 'notifications/initialized', params: { a: 1 } }, { session: 1 });
  received.addFromClient({ jsonrpc: '2.0', id: 1, result: { roots: [] } }, { session: 1 });
  expect(journal.entries.map(({ kind }) => kind)).toEqual(['request', 'notification', 'answer']);
  expect(journal.requests('ping')).toEqual([
    { kind: 'request', method: 'ping', id: 1, message: ping, session: 1, headers: { authorization: 'x' } },
  ]);
  expect(journal.notifications()).toMatchObject([{ method: 'notifications/initialized', params: { a: 1 } }]);
  expect(journal.answers('roots/list')).toMatchObject([{ to: 'roots/list', id: 1, result: { roots: [] } }]);
  expect([journal.requests('acme/x'), journal.notifications('notifications/x'), journal.answers('acme/x')]).toEqual([
    [],
    [],
    [],
  ]);
});

it('knows whose question is answered by session and by the type of the id', () => {
  const received = new MessageLog(new ManualClock());
  received.addFromServer([roots, { ...roots, id: '1', method: 'ping' }], { session: 1 });
  received.addFromServer({ ...roots, method: 'sampling/createMessage' }, { session: 2 });
  const error = { code: -1, message: 'no' };
  received.addFromClient(
    [
      { id: '1', result: {} },
      { id: 1, error },
    ],
    { session: 1 },
  );
  received.addFromClient({ id: 1, result: {} }, { session: 2 });
  received.addFromClient({ id: 1, result: {} }, {});
  received.addFromClient({ id: null, error }, { session: 1 });
  const { journal } = received;
  expect(journal.answers().map(({ to }) => to)).toEqual([
    'ping',
    'roots/list',
    'sampling/createMessage',
    undefined,
    undefined,
  ]);
  expect(journal.answers('roots/list')[0]?.error).toEqual(error);
});

it('takes what is no JSON-RPC for nothing', () => {
  const received = new MessageLog(new ManualClock());
  received.addFromClient([7, null, 'x', {}], {});
  expect(received.journal.entries).toEqual([]);
});

it('has written down a message before the other side hears it', async () => {
  const received = new MessageLog(new ManualClock());
  const [near, far] = memoryPair();
  const client = received.tap(near, 3);
  const heard = new Promise<number>((resolve) => far.listen(() => resolve(received.journal.entries.length)));
  client.send({ kind: 'message', at: 0, from: 'client', json: new JsonText(JSON.stringify(ping)) });
  expect(await heard).toBe(1);
  client.listen(() =>
    client.send({
      kind: 'message',
      at: 0,
      from: 'client',
      json: new JsonText('{"jsonrpc":"2.0","id":1,"result":{}}'),
    }),
  );
  const answered = received.journal.waitFor('roots/list');
  far.send({ kind: 'message', at: 0, from: 'server', json: new JsonText(JSON.stringify(roots)) });
  far.send({ kind: 'close', at: 0, from: 'server' });
  expect(await answered).toMatchObject({ kind: 'answer', to: 'roots/list', session: 3 });
});

it('forgets what came, and not what was given out', () => {
  const received = new MessageLog(new ManualClock());
  received.addFromClient(ping, {});
  const before = received.journal.entries;
  received.journal.reset();
  expect([before.length, received.journal.entries.length]).toEqual([1, 0]);
});
