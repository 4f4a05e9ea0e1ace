import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { META } from '../../../src/protocol/meta.ts';
import { causesOf } from '../../../src/replay/plan/causes.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  notification,
  progress,
  request,
  result,
  server,
  signal,
  stderr,
} from '../../support/conversation.ts';

/** For each frame of the server, by position: whose it is; `~` before what is ambient, `?` after what is guessed. */
function owners(...frames: Frame[]): Record<number, string> {
  const entries = eventsToEntries(cassette(...frames).events);
  const described = causesOf(entries, correlateEntries(entries)).flatMap((owner, index) => {
    if (owner === undefined) return [];
    const after = owner.after === undefined ? '' : ` after ${owner.after}`;
    return [[index, `${owner.ambient ? '~' : ''}${owner.entry ?? 'start'}${owner.guess ? '?' : ''}${after}`]];
  });
  return Object.fromEntries(described);
}

const log = notification('message', { level: 'info', data: 'x' });
const ask = (id: number, params = {}) => request(id, 'elicitation/create', { message: 'Sure?', ...params });
const list = (id: number) => request(id, 'tools/list');

describe('what names a request', () => {
  it('is a response, by its id', () => {
    expect(owners(client(call(0, 'a')), client(call(1, 'b')), server(result(1, 'B')), server(result(0, 'A')))).toEqual({
      2: '1',
      3: '0',
    });
  });

  it('is progress, by its token, also after the response', () => {
    expect(
      owners(
        client(call(0, 'a', {}, 'x')),
        client(call(1, 'b', {}, 'y')),
        server(progress('x', 1)),
        server(result(0, 'A')),
        server(progress('x', 2)),
        server(progress('y', 1)),
      ),
    ).toEqual({ 2: '0', 3: '0', 4: '0', 5: '1' });
  });

  it('is the cancel of the server’s own request, whatever the client’s requests are called', () => {
    expect(
      owners(
        client(call(0, 'a')),
        server(ask(1)),
        client(call(1, 'b')),
        server(cancel(1)),
        server(result(1, 'B')),
        server(result(0, 'A')),
      ),
    ).toMatchObject({ 1: '0', 3: '0' });
  });
});

describe('a task', () => {
  const created = { jsonrpc: '2.0', id: 0, result: { task: { taskId: 't', status: 'working' } } };
  const related = { _meta: { [META.relatedTask]: { taskId: 't' } } };
  const create = request(0, 'tools/call', { name: 'slow', task: {} });

  it('speaks for the request that created it', () => {
    expect(
      owners(
        client(create),
        server(created),
        client(call(1, 'b')),
        server(notification('tasks/status', { taskId: 't', status: 'input_required' })),
        server(ask(0, related)),
      ),
    ).toEqual({ 1: '0', 3: '0', 4: '0' });
  });

  it('speaks on the open tasks/result that waits for it', () => {
    expect(
      owners(
        client(create),
        server(created),
        client(request(1, 'tasks/result', { taskId: 'other' })),
        client(request(2, 'tasks/result', { taskId: 't' })),
        server(ask(0, related)),
        client(result(0, 'yes')),
        server(result(2, 'done')),
        server(notification('tasks/status', { taskId: 't', status: 'completed' })),
      ),
    ).toMatchObject({ 4: '3', 6: '3', 7: '0' });
  });

  it('of the extension of 2026-07-28 is known by its other shape', () => {
    expect(
      owners(
        client(call(0, 'slow')),
        server({ jsonrpc: '2.0', id: 0, result: { resultType: 'task', taskId: 't', status: 'working' } }),
        client(call(1, 'b')),
        server(notification('tasks', { taskId: 't', status: 'completed' })),
      ),
    ).toMatchObject({ 3: '0' });
  });

  it('that nobody created is ambient', () => {
    expect(owners(client(call(0, 'a')), server(notification('tasks/status', { taskId: 'unknown' })))).toEqual({
      1: '~0',
    });
  });
});

describe('over HTTP', () => {
  const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
  const listen = request('listen:0', 'subscriptions/listen', { notifications: {} });
  const told = notification('tools/list_changed', { _meta: { [META.subscriptionId]: 'listen:0' } });

  it('what comes on the stream of a request is about that, whatever else is open', () => {
    expect(
      owners(
        on(1, client(call(0, 'a'))),
        on(2, client(call(0, 'b'))),
        on(1, server(log)),
        on(1, server(ask(0))),
        on(2, server(log)),
        on(3, client(result(0, 'yes'))),
        on(2, server(result(0, 'B'))),
        on(1, server(result(0, 'A'))),
      ),
    ).toEqual({ 2: '0', 3: '0', 4: '1', 6: '1', 7: '0' });
  });

  it('what comes on a stream of none, or of a batch, is placed by what names it, or by what is open', () => {
    expect(
      owners(
        on(1, client([call(0, 'a', {}, 'x'), call(1, 'b')])),
        on(1, server(progress('x', 1))),
        on(1, server(log)),
        on(2, server(log)),
      ),
    ).toEqual({ 2: '0', 3: '~1?', 4: '~1?' });
  });

  it('subscriptions of two clients are told apart though they have one id', () => {
    expect(owners(on(1, client(listen)), on(2, client(listen)), on(1, server(told)), on(2, server(told)))).toEqual({
      2: '0 after 1',
      3: '1',
    });
  });
});

describe('an object that is no message', () => {
  it.each([{}, { jsonrpc: '2.0' }, { id: null, method: 'notifications/tasks', params: { taskId: 't' } }])(
    'is ambient: %j',
    (said) => {
      expect(owners(client(call(0, 'a')), server(said))).toEqual({ 1: '~0' });
    },
  );
});

describe('a subscription', () => {
  const listen = (id: number | string) => request(id, 'subscriptions/listen', { notifications: {} });
  const told = (id: number | string, method: string) => notification(method, { _meta: { [META.subscriptionId]: id } });

  it('is acknowledged at once, and speaks after what the client did since', () => {
    expect(
      owners(
        client(listen('L')),
        server(told('L', 'subscriptions/acknowledged')),
        client(call(1, 'change')),
        server(told('L', 'tools/list_changed')),
        server(result(1, 'ok')),
        server(told('L', 'resources/updated')),
        server({ jsonrpc: '2.0', id: 'L', result: {} }),
      ),
    ).toEqual({ 1: '0', 3: '0 after 2', 4: '2', 5: '0 after 2', 6: '0 after 2' });
  });

  it('needs nothing more where the client did nothing more', () => {
    expect(owners(client(listen(0)), server(told(0, 'tools/list_changed')))).toEqual({ 1: '0' });
  });

  it('is the one with that id, of its type', () => {
    expect(
      owners(
        client(listen(1)),
        client(listen('1')),
        server(told('1', 'tools/list_changed')),
        server(told(1, 'tools/list_changed')),
      ),
    ).toMatchObject({ 2: '1', 3: '0 after 1' });
  });

  it('is what a server’s cancel names, where the server has no request of that id', () => {
    expect(owners(client(listen(7)), server(cancel(7)))).toEqual({ 1: '0' });
  });

  it('is no other request that happens to have the id', () => {
    expect(owners(client(call(7, 'a')), server(cancel(7)), server(told(7, 'x')))).toEqual({
      1: '~0',
      2: '~0',
    });
    expect(owners(client(listen(7)), client(call(7, 'a')), server(cancel(7)))).toEqual({ 2: '~1' });
  });

  it('is not what a frame without a name was sent for', () => {
    expect(owners(client(call(0, 'a')), client(listen(1)), server(log))).toEqual({ 2: '~0' });
  });
});

describe('a server’s own request', () => {
  it('is for the only call open both at it and at its answer', () => {
    expect(
      owners(
        client(call(0, 'a')),
        client(call(1, 'b')),
        server(ask(0)),
        server(result(1, 'B')),
        client(result(0, 'yes')),
        server(result(0, 'A')),
      ),
    ).toMatchObject({ 2: '0' });
  });

  it('is, by a guess, for the one whose response follows its answer first', () => {
    expect(
      owners(
        client(call(0, 'a')),
        client(call(1, 'b')),
        server(ask(0)),
        client(result(0, 'yes')),
        server(result(0, 'A')),
        server(result(1, 'B')),
      ),
    ).toMatchObject({ 2: '0?' });
  });

  it('that nobody answered is for what was open at it', () => {
    expect(owners(client(call(0, 'a')), server(ask(0)))).toEqual({ 1: '0' });
  });

  it('with nothing open follows what the client did last', () => {
    expect(owners(client(notification('initialized')), server(ask(0)))).toEqual({ 1: '~0' });
  });
});

describe('a frame that names nothing', () => {
  it('goes with the only call in flight', () => {
    expect(owners(client(call(0, 'a')), server(result(0, 'A')), client(call(1, 'b')), server(log))).toMatchObject({
      3: '~2',
    });
  });

  it('goes, by a guess, with the latest of several', () => {
    expect(
      owners(
        client(call(0, 'a')),
        client(call(1, 'b')),
        client(call(2, 'c')),
        server(log),
        server(result(2, 'C')),
        server(log),
        server(result(0, 'A')),
        server(log),
      ),
    ).toMatchObject({ 3: '~2?', 5: '~1?', 7: '~1' });
  });

  it('follows the last client message where nothing is in flight, and the start where there was none', () => {
    expect(owners(stderr('hi'), client(notification('initialized')), server(log))).toEqual({
      0: '~start',
      2: '~1',
    });
  });

  it.each([
    ['a ping', request(1, 'ping')],
    ['a poll', request(1, 'tasks/get', { taskId: 't' })],
    ['a list asked again', list(1)],
    ['an answer', result(1, 'yes')],
    ['a cancel', cancel(0)],
  ])('never hangs on %s', (_, message) => {
    expect(owners(client(list(0)), server(result(0, 'list')), client(message), server(log))).toMatchObject({
      3: '~0',
    });
  });

  it('does not go with a call that the client cancelled', () => {
    expect(owners(client(call(0, 'a')), client(call(1, 'b')), client(cancel(1)), server(log))).toEqual({
      3: '~0',
    });
  });

  it('goes with the end of input once that came', () => {
    expect(owners(client(call(0, 'a')), clientCloses, stderr('bye'), exits(0))).toEqual({ 2: '~1', 3: '~1' });
  });

  it('goes with the signal that ended the server', () => {
    expect(
      owners(client(call(0, 'a')), server(result(0, 'A')), signal('SIGTERM'), stderr('bye'), exits('SIGTERM')),
    ).toMatchObject({ 3: '~2', 4: '~2' });
    expect(owners(client(call(0, 'a')), signal('SIGTERM'), clientCloses, exits('SIGTERM'))).toEqual({
      3: '~2',
    });
  });

  it('does not hang on a signal after which the client spoke on', () => {
    expect(
      owners(client(call(0, 'a')), server(result(0, 'A')), signal('SIGHUP'), stderr('hup'), client(list(1))),
    ).toMatchObject({ 3: '~0' });
  });
});

it('each message of a batch has an owner of its own', () => {
  expect(owners(client([call(0, 'a'), call(1, 'b')]), server([result(1, 'B'), log, result(0, 'A')]))).toEqual({
    2: '1',
    3: '~0',
    4: '0',
  });
});
