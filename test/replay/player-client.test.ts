import { describe, expect, it } from 'vitest';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  notification,
  playClient,
  progress,
  request,
  result,
  server,
} from '../support/conversation.ts';

const closes = expect.objectContaining({ kind: 'close', from: 'client' });
const answer = (id: number | string, fields: object) => ({ jsonrpc: '2.0', id, result: fields });

describe('the calls of a mock client', () => {
  it('wait for the answers that stood before them in the cassette, and overlap where those did', () => {
    const session = playClient(
      cassette(
        client(call(0, 'a')),
        client(call(1, 'b')),
        server(result(1, 'B')),
        client(call(2, 'c')),
        server(result(0, 'A')),
        server(result(2, 'C')),
      ),
    );
    expect(session.hears()).toEqual([call(0, 'a'), call(1, 'b')]);
    session.says(result(0, 'A'));
    expect(session.hears()).toEqual([]);
    session.says(result(1, 'B'));
    expect(session.hears()).toEqual([call(2, 'c')]);
    session.says(result(2, 'C'));
    expect(session.hears()).toEqual([closes]);
  });

  it('go on without an answer that does not come, and say what they waited for', () => {
    const session = playClient(
      cassette(client(call(0, 'hangs')), server(result(0, 'A')), client(call(1, 'b')), server(result(1, 'B'))),
      { patience: 5_000 },
    );
    session.hears();
    session.clock.advance(4_999);
    expect(session.hears()).toEqual([]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([call(1, 'b')]);
    expect(session.findings.map(({ text }) => text)).toEqual([
      'cassette.yaml:2 response did not come in time: tools/call "b" of line 3 went on without it.',
    ]);
  });

  it('are not held back by notifications of the server', () => {
    const session = playClient(
      cassette(
        client(call(0, 'a')),
        server(result(0, 'A')),
        server(notification('tools/list_changed')),
        client(call(1, 'b')),
      ),
    );
    session.says(result(0, 'A'));
    expect(session.hears()).toEqual([call(0, 'a'), call(1, 'b')]);
  });
});

describe('an answer of a mock client', () => {
  const ask = (id: number | string, text: string) =>
    request(id, 'sampling/createMessage', { messages: [text], maxTokens: 1 });

  it('is found by what the server asks, not by when, and carries the live id', () => {
    const session = playClient(
      cassette(
        client(call(0, 'a')),
        server(ask(0, 'one')),
        client(answer(0, { text: '1' })),
        server(ask(1, 'two')),
        client(answer(1, { text: '2' })),
        server(result(0, 'A')),
      ),
    );
    session.hears();
    session.says(ask('x', 'two'), ask('y', 'one'));
    expect(session.hears()).toEqual([answer('x', { text: '2' }), answer('y', { text: '1' })]);
  });

  it('to a request that the cassette does not have is an error, and told (§14)', () => {
    const session = playClient(cassette(client(call(0, 'a')), server(result(0, 'A'))));
    session.hears();
    session.says(ask(7, 'what?'));
    expect(session.hears()).toMatchObject([{ id: 7, error: { code: -32603 } }]);
    expect(session.findings.map(({ kind }) => kind)).toEqual(['miss']);
  });

  it('is given to ping from life (§14)', () => {
    const session = playClient(cassette(client(call(0, 'a')), server(result(0, 'A'))));
    session.hears();
    session.says(request('p', 'ping'));
    expect(session.hears()).toEqual([answer('p', {})]);
  });
});

describe('what the server asks while the client has nothing open', () => {
  const roots = request(0, 'roots/list');
  const idling = cassette(
    client(request(0, 'initialize')),
    server(result(0, 'hi')),
    client(notification('initialized')),
    server(roots),
    client(answer(0, { roots: [] })),
    client(call(1, 'a')),
    server(result(1, 'A')),
  );

  it('is what the client waits for before it goes on', () => {
    const session = playClient(idling);
    session.says(result(0, 'hi'));
    expect(session.hears()).toEqual([request(0, 'initialize'), notification('initialized')]);
    session.says(roots);
    expect(session.hears()).toEqual([answer(0, { roots: [] }), call(1, 'a')]);
  });

  it('is not waited for in vain, and told once', () => {
    const session = playClient(idling, { patience: 1_000 });
    session.says(result(0, 'hi'));
    session.hears();
    session.clock.advance(1_000);
    expect(session.hears()).toEqual([call(1, 'a')]);
    expect(session.findings.map(({ text }) => text)).toEqual([
      'cassette.yaml:4 roots/list did not come in time: tools/call "a" of line 6 went on without it.',
    ]);
  });
});

describe('a cancel of a mock client', () => {
  const cancelling = cassette(
    client(call(0, 'slow', {}, 0)),
    server(progress(0, 1)),
    server(progress(0, 2)),
    client(cancel(0)),
    client(call(1, 'b')),
    server(result(1, 'B')),
  );

  it('waits for as many frames of its call as it followed in the cassette', () => {
    const session = playClient(cancelling);
    expect(session.hears()).toEqual([call(0, 'slow', {}, 0), call(1, 'b')]);
    session.says(progress(0, 0.3));
    expect(session.hears()).toEqual([]);
    session.says(progress(0, 0.7));
    expect(session.hears()).toEqual([cancel(0)]);
  });

  it('is not sent after the live answer, and that is told', () => {
    const session = playClient(cancelling, { patience: 100 });
    session.says(result(0, 'too fast'), result(1, 'B'));
    session.clock.advance(100);
    expect(session.hears()).not.toContainEqual(cancel(0));
    expect(session.findings.map(({ kind }) => kind)).toContain('late');
  });
});

describe('what the live server minted', () => {
  it('is followed: cursors, also past the last recorded page', () => {
    const list = (id: number, cursor?: string) =>
      request(id, 'tools/list', cursor === undefined ? undefined : { cursor });
    const session = playClient(
      cassette(
        client(list(0)),
        server(answer(0, { tools: [1], nextCursor: 'recorded' })),
        client(list(1, 'recorded')),
        server(answer(1, { tools: [2] })),
      ),
    );
    session.says(answer(0, { tools: [1], nextCursor: 'live-1' }));
    expect(session.hears()).toEqual([list(0), list(1, 'live-1')]);
    session.says(answer(1, { tools: [2], nextCursor: 'live-2' }));
    session.clock.advance(0);
    expect(session.hears()).toEqual([{ ...list(1, 'live-2'), id: 'mcp-record:0' }]);
    session.says(answer('mcp-record:0', { tools: [3] }));
    expect(session.hears()).toEqual([closes]);
  });

  it('is followed to fewer pages than were recorded', () => {
    const session = playClient(
      cassette(
        client(request(0, 'tools/list')),
        server(answer(0, { tools: [1], nextCursor: 'recorded' })),
        client(request(1, 'tools/list', { cursor: 'recorded' })),
        server(answer(1, { tools: [2] })),
        client(call(2, 'a')),
        server(result(2, 'A')),
      ),
      { patience: 1_000 },
    );
    session.hears();
    session.says(answer(0, { tools: [1, 2] }));
    expect(session.hears()).toEqual([call(2, 'a')]);
    expect(session.findings).toEqual([]);
  });

  it('is followed: task ids, polled until the task is where it was in the cassette', () => {
    const get = (id: number | string, taskId: string) => request(id, 'tasks/get', { taskId });
    const session = playClient(
      cassette(
        client(call(0, 'a')),
        server(answer(0, { task: { taskId: 'recorded', status: 'working' } })),
        client(get(1, 'recorded')),
        server(answer(1, { taskId: 'recorded', status: 'completed' })),
        client(request(2, 'tasks/result', { taskId: 'recorded' })),
        server(result(2, 'A')),
      ),
    );
    session.says(answer(0, { task: { taskId: 'live', status: 'working' } }));
    expect(session.hears()).toEqual([call(0, 'a'), get(1, 'live')]);
    session.says(answer(1, { taskId: 'live', status: 'working', pollInterval: 50 }));
    session.clock.advance(49);
    expect(session.hears()).toEqual([]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([get('mcp-record:0', 'live')]);
    session.says(answer('mcp-record:0', { taskId: 'live', status: 'completed' }));
    expect(session.hears()).toEqual([request(2, 'tasks/result', { taskId: 'live' })]);
  });

  it('is followed byte for byte: request state', () => {
    const session = playClient(
      cassette(
        client(call(0, 'a')),
        server(answer(0, { resultType: 'input_required', requestState: 'recorded' })),
        client(request(1, 'tools/call', { name: 'a', requestState: 'recorded', inputResponses: {} })),
        server(result(1, 'A')),
      ),
    );
    session.hears();
    session.says('{"jsonrpc":"2.0","id":0,"result":{"resultType":"input_required","requestState":"v1.é\\u0041=="}}');
    expect(session.hears()).toMatchObject([{ id: 1, params: { requestState: 'v1.éA==' } }]);
  });

  it('is followed: handles of the user’s own', () => {
    const session = playClient(
      cassette(
        client(call(0, 'open')),
        server(answer(0, { structuredContent: { basket: 'b-1' } })),
        client(call(1, 'fill', { basket: 'b-1', note: 'b-1' })),
        server(result(1, 'ok')),
      ),
      { handles: [{ capture: '/result/structuredContent/basket', use: '/params/arguments/basket' }] },
    );
    session.hears();
    session.says(answer(0, { structuredContent: { basket: 'b-77' } }));
    expect(session.hears()).toEqual([call(1, 'fill', { basket: 'b-77', note: 'b-1' })]);
  });
});

describe('a read after a change', () => {
  const changed = notification('tools/list_changed');
  const rereading = cassette(
    client(request(0, 'tools/list')),
    server(result(0, 'before')),
    client(call(1, 'change')),
    server(result(1, 'ok')),
    server(changed),
    client(request(2, 'tools/list')),
    server(result(2, 'after')),
    clientCloses,
  );

  it('waits for the live change', () => {
    const session = playClient(rereading);
    session.says(result(0, 'before'));
    session.says(result(1, 'ok'));
    expect(session.hears()).toEqual([request(0, 'tools/list'), call(1, 'change')]);
    session.says(changed);
    expect(session.hears()).toEqual([request(2, 'tools/list')]);
    session.says(result(2, 'after'));
    expect(session.hears()).toEqual([closes]);
  });

  it('goes on without it at its deadline, and says so', () => {
    const session = playClient(rereading, { patience: 1_000 });
    session.says(result(0, 'before'));
    session.says(result(1, 'ok'));
    session.hears();
    session.clock.advance(1_000);
    expect(session.hears()).toContainEqual(request(2, 'tools/list'));
    expect(session.findings.map(({ text }) => text).join()).toContain(
      'notifications/tools/list_changed did not come in time',
    );
  });
});

describe('what names nothing', () => {
  const unread = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };

  it('is cancelled as in the cassette', () => {
    const session = playClient(cassette(client(cancel('nothing')), client(request(1, 'tools/list'))));
    expect(session.hears()).toContainEqual(cancel('nothing'));
  });

  it('is complained of by the server as in the cassette, and otherwise to us', () => {
    const session = playClient(cassette(client(request(1, 'tools/list')), server(unread), server(result(1, 'ok'))));
    session.says(unread);
    expect(session.findings).toEqual([]);
    session.says(unread);
    expect(session.findings).toMatchObject([{ kind: 'stray' }]);
  });
});
