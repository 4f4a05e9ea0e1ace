import { describe, expect, it } from 'vitest';
import { META } from '../../../src/protocol/meta.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  notification,
  play,
  progress,
  request,
  result,
  server,
  signal,
  stderr,
} from '../../support/conversation.ts';
import { workOf } from '../../support/work.ts';

const log = notification('message', { level: 'info', data: 'hello' });
const changed = notification('tools/list_changed');
const ask = request(0, 'sampling/createMessage', { messages: [], maxTokens: 5 });
const answer = result(0, 'sampled');
const [A, B, resultA, resultB] = [call(1, 'a'), call(2, 'b'), result(1, 'A'), result(2, 'B')];
const list = (id: number) => request(id, 'tools/list');
const crash = expect.objectContaining({ kind: 'exit' });

/** What a client hears, in order, when it says these, one turn each, and waits a moment after each. */
function hearing(session: ReturnType<typeof play>, ...says: unknown[]): unknown[] {
  return says.flatMap((message) => {
    session.says(message);
    session.clock.advance(1);
    return session.hears();
  });
}

describe('(1) a response', () => {
  it('waits for its request and for nothing else', () => {
    const session = play(cassette(client(A), client(B), server(resultA), server(resultB)));
    expect(hearing(session, B, A)).toEqual([resultB, resultA]);
  });

  it('is not released by a request of the same id that it does not answer', () => {
    const session = play(cassette(client(A), server(resultA), client(B), server(resultB)));
    expect(hearing(session, call(1, 'b'))).toEqual([result(1, 'B')]);
  });

  it('comes alone where it was one of a batch', () => {
    const session = play(cassette(client([A, B]), server([resultB, resultA])));
    expect(hearing(session, [A], [call(3, 'b')])).toEqual([resultA, result(3, 'B')]);
  });
});

describe('(2) what names a request, task or subscription', () => {
  it('goes with it, though other calls are open', () => {
    const session = play(
      cassette(client(call(1, 'a', {}, 'p')), client(B), server(progress('p', 1)), server(resultB), server(resultA)),
    );
    expect(hearing(session, B, call(1, 'a', {}, 'q'))).toEqual([resultB, progress('q', 1), resultA]);
  });

  it('goes, for a task, with the tasks/result that waits for it: the side channel of 2025-11-25', () => {
    const related = { _meta: { [META.relatedTask]: { taskId: 't' } } };
    const create = request(0, 'tools/call', { name: 'slow', task: {} });
    const created = { jsonrpc: '2.0', id: 0, result: { task: { taskId: 't', status: 'working' } } };
    const poll = request(1, 'tasks/get', { taskId: 't' });
    const wait = request(2, 'tasks/result', { taskId: 't' });
    const confirm = request(0, 'elicitation/create', { message: 'Sure?', ...related });
    const session = play(
      cassette(
        client(create),
        server(created),
        client(poll),
        server({ jsonrpc: '2.0', id: 1, result: { taskId: 't', status: 'input_required' } }),
        client(wait),
        server(confirm),
        client(answer),
        server({ jsonrpc: '2.0', id: 2, result: related }),
      ),
    );
    expect(hearing(session, create, wait)).toEqual([created, confirm]);
    expect(hearing(session, answer)).toEqual([{ jsonrpc: '2.0', id: 2, result: related }]);
  });

  const listen = (id: number | string) => request(id, 'subscriptions/listen', { notifications: {} });
  const told = (id: number | string, method: string) => notification(method, { _meta: { [META.subscriptionId]: id } });
  const subscribed = cassette(
    client(listen('L')),
    server(told('L', 'subscriptions/acknowledged')),
    client(list(1)),
    server(result(1, 'before')),
    client(call(2, 'change')),
    server(told('L', 'tools/list_changed')),
    server(result(2, 'changed')),
    client(list(3)),
    server(result(3, 'after')),
  );

  it('goes, for a subscription, under its live id, when what it followed has happened', () => {
    const session = play(subscribed);
    expect(hearing(session, listen(9), list(10), list(11))).toEqual([
      told(9, 'subscriptions/acknowledged'),
      result(10, 'before'),
      result(11, 'before'),
    ]);
    expect(hearing(session, call(12, 'change'), list(13))).toEqual([
      told(9, 'tools/list_changed'),
      result(12, 'changed'),
      result(13, 'after'),
    ]);
  });

  it('does not keep a subscriber waiting for a call that it never makes', () => {
    const session = play(subscribed);
    hearing(session, listen(9));
    session.clock.advance(998);
    expect(session.hears()).toEqual([]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([told(9, 'tools/list_changed')]);
    expect(session.findings).toEqual([]);
  });

  it('goes, for two subscriptions, to each its own, though both cassettes and sessions swap the ids', () => {
    const filter = (id: number, uri: string) =>
      request(id, 'subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });
    const session = play(
      cassette(
        client(filter(1, 'x')),
        client(filter(2, 'y')),
        server(told(1, 'subscriptions/acknowledged')),
        server(told(2, 'subscriptions/acknowledged')),
        server(cancel(2)),
        server(cancel(1)),
      ),
    );
    expect(hearing(session, filter(2, 'x'))).toEqual([told(2, 'subscriptions/acknowledged')]);
    expect(hearing(session, filter(1, 'y'))).toEqual([cancel(2), told(1, 'subscriptions/acknowledged'), cancel(1)]);
  });

  it('keeps a legacy server’s cancel of its own request as it is, though a client’s request has that id', () => {
    const session = play(cassette(client(A), server({ ...ask, id: 1 }), server(cancel(1)), server(resultA)));
    expect(hearing(session, call(77, 'a'))).toEqual([{ ...ask, id: 1 }, cancel(1), result(77, 'A')]);
  });

  it('keeps a cancel of nothing in the cassette as it is', () => {
    const session = play(cassette(client(A), server(cancel(1)), server(resultA)));
    expect(hearing(session, call(77, 'a'))).toEqual([cancel(1), result(77, 'A')]);
  });
});

describe('(4) a frame that names nothing', () => {
  it('goes with the only call in flight', () => {
    const session = play(cassette(client(A), server(resultA), client(B), server(log), server(resultB)));
    expect(hearing(session, A)).toEqual([resultA]);
    expect(hearing(session, B)).toEqual([log, resultB]);
  });

  it('goes with the latest of several, and says that this is a guess', () => {
    const recorded = cassette(client(A), client(B), server(log), server(resultB), server(resultA));
    const { sequences } = planServer(recorded.events);
    expect(sequences.get(1)?.[0]?.steps.map(({ guess }) => guess)).toEqual([true, false]);
    expect(hearing(play(recorded), B)).toEqual([log, resultB]);
  });

  it('goes once, whoever asks again', () => {
    const session = play(cassette(client(list(1)), server(log), server(result(1, 'list'))));
    expect(hearing(session, list(1), list(2))).toEqual([log, result(1, 'list'), result(2, 'list')]);
  });

  it('on standard error goes before and after the session as it did', () => {
    const session = play(cassette(stderr('up'), client(A), server(resultA), clientCloses, stderr('down'), exits(0)));
    expect(session.hears()).toMatchObject([{ data: 'up' }]);
    expect(hearing(session, A)).toEqual([resultA]);
    session.closes();
    expect(session.hears()).toMatchObject([{ data: 'down' }, { kind: 'exit', status: 0 }]);
  });
});

describe('(5) what followed the client’s answer to a server request', () => {
  const asking = [client(A), server(ask), client(answer)];

  it('waits for the live answer, in its own lane only', () => {
    const session = play(cassette(client(B), ...asking, server(resultA), server(resultB)));
    expect(hearing(session, B, A)).toEqual([resultB, ask]);
    expect(hearing(session, answer)).toEqual([resultA]);
  });

  it('waits also where a frame that names nothing stood between, and was sent ahead with another response', () => {
    const session = play(cassette(...asking, server(log), client(B), server(resultB), server(resultA)));
    expect(hearing(session, B)).toEqual([log, resultB]);
    expect(hearing(session, A)).toEqual([ask]);
    expect(hearing(session, answer)).toEqual([resultA]);
  });

  it('waits for each of several answers, in whatever order they come', () => {
    const second = { ...ask, id: 1 };
    const session = play(
      cassette(client(A), server(ask), server(second), client(result(1, 'x')), client(answer), server(resultA)),
    );
    expect(hearing(session, A)).toEqual([ask, second]);
    expect(hearing(session, answer)).toEqual([]);
    expect(hearing(session, result(1, 'y'))).toEqual([resultA]);
  });

  it('does not wait for the answer to a request that the server withdrew before it came', () => {
    const session = play(cassette(client(A), server(ask), server(cancel(0)), client(answer), server(resultA)));
    expect(hearing(session, A)).toEqual([ask, cancel(0), resultA]);
  });

  it('waits for the answer to a request that the server withdrew too late', () => {
    const session = play(cassette(...asking, server(cancel(0)), server(resultA)));
    expect(hearing(session, A)).toEqual([ask]);
    expect(hearing(session, answer)).toEqual([cancel(0), resultA]);
  });

  it('does not wait for the answer to a ping', () => {
    const ping = request(5, 'ping');
    const session = play(cassette(client(A), server(ping), client(result(5, 'pong')), server(resultA)));
    expect(hearing(session, A)).toEqual([ping, resultA]);
  });

  it('is not released by the answer to another request of the same id and the other direction', () => {
    const session = play(cassette(client(call(0, 'a')), server(ask), client(answer), server(result(0, 'A'))));
    expect(hearing(session, call(0, 'a'), call(5, 'a'))).toMatchObject([ask, { id: 5, error: {} }]);
    expect(hearing(session, result(5, 'not yours'))).toEqual([]);
    expect(hearing(session, answer)).toEqual([result(0, 'A')]);
  });
});

describe('(6) a call cancelled in the cassette', () => {
  it('gets its frames and then silence', () => {
    const session = play(cassette(client(call(1, 'a', {}, 1)), server(progress(1, 1)), client(cancel(1))));
    expect(hearing(session, call(5, 'a', {}, 5), cancel(5))).toEqual([progress(5, 1)]);
  });

  it('hears what came between two cancels of it after the first', () => {
    const session = play(cassette(client(A), client(cancel(1)), server(resultA), client(cancel(1))));
    expect(hearing(session, A, cancel(1))).toEqual([resultA]);
  });

  it('and cancelled live before its frames went out is silent at once, and what it had is reported', () => {
    const session = play(cassette(client(A), server(ask), client(answer), server(resultA)));
    expect(hearing(session, A, cancel(1), answer)).toEqual([ask]);
    session.player.finish();
    expect(session.findings.map(({ text }) => text)).toEqual([
      'The client cancelled tools/call "a" (cassette.yaml:1), which it does not in the cassette.',
      '1 recorded message could not be sent:\n    cassette.yaml:4 response',
    ]);
  });
});

describe('the end of the process', () => {
  it('comes with the call that was open in it', () => {
    const session = play(cassette(client(A), server(resultA), client(B), exits('SIGSEGV')));
    expect(hearing(session, A, B)).toEqual([resultA, crash]);
  });

  it('waits for the answers that it was given before, to calls of the same time', () => {
    const session = play(cassette(client(A), client(B), server(resultB), exits(1)));
    session.says(A, B);
    expect(session.hears()).toEqual([resultB, crash]);
  });

  it('does not wait for ever for calls that are not made', () => {
    const session = play(cassette(client(A), client(B), server(resultB), exits(1)));
    expect(hearing(session, A)).toEqual([]);
    session.clock.advance(999);
    expect(session.hears()).toEqual([crash]);
  });

  it.each([
    ['a signal', [signal('SIGTERM')]],
    ['a signal and the end of input', [signal('SIGTERM'), clientCloses]],
  ])('waits for the client to end it, where it came with %s', (_, ending) => {
    const session = play(cassette(client(A), server(resultA), ...ending, stderr('bye'), exits('SIGTERM')));
    expect(hearing(session, A)).toEqual([resultA]);
    session.closes();
    expect(session.hears()).toMatchObject([{ data: 'bye' }, { kind: 'exit' }]);
  });
});

describe('no deadlock, no wrong release', () => {
  it.each([
    ['A first', [A, B]],
    ['B first', [B, A]],
  ])('A B s1 answer(s1) resultB resultA, with a client that waits for each result: %s', (_, calls) => {
    const session = play(cassette(client(A), client(B), server(ask), client(answer), server(resultB), server(resultA)));
    const heard = calls.flatMap((one) => {
      const first = hearing(session, one);
      return first.includes(ask) || first.some((message) => (message as { method?: string }).method)
        ? [...first, ...hearing(session, answer)]
        : first;
    });
    expect(heard).toEqual(calls[0] === A ? [resultA, ask, resultB] : [ask, resultB, resultA]);
  });

  it('A B list_changed resultA, with a client that awaits list_changed before B', () => {
    const session = play(cassette(client(A), client(B), server(changed), server(resultA), server(resultB)));
    expect(hearing(session, A)).toEqual([changed, resultA]);
    expect(hearing(session, B)).toEqual([resultB]);
  });

  it('A B list_changed resultA, with a client that sends B only', () => {
    const session = play(cassette(client(A), client(B), server(changed), server(resultA), server(resultB)));
    expect(hearing(session, B)).toEqual([changed, resultB]);
  });

  it.each([
    ['ping', request(5, 'ping')],
    ['poll', request(5, 'tasks/get', { taskId: 't' })],
    ['cancel', cancel(1)],
  ])('a cue that is a %s and never comes again', (_, cue) => {
    const session = play(cassette(client(A), server(resultA), client(cue), server(log), client(B), server(resultB)));
    expect(hearing(session, A)).toEqual([resultA, log]);
    expect(hearing(session, B)).toEqual([resultB]);
  });

  it('a list asked early does not give what was only true after a change', () => {
    const session = play(
      cassette(
        client(list(1)),
        server(result(1, 'before')),
        client(A),
        server(changed),
        server(resultA),
        client(list(3)),
        server(result(3, 'after')),
      ),
    );
    expect(hearing(session, list(5), list(6), list(7))).toEqual([5, 6, 7].map((id) => result(id, 'before')));
    expect(hearing(session, A, list(8))).toEqual([changed, resultA, result(8, 'after')]);
  });

  it('two calls alike, each with its own question, are each asked theirs', () => {
    const second = { ...ask, id: 1 };
    const session = play(
      cassette(
        client(A),
        server(ask),
        client(answer),
        server(result(1, 'one')),
        client(call(2, 'a')),
        server(second),
        client(result(1, 'x')),
        server(result(2, 'two')),
      ),
    );
    expect(hearing(session, call(7, 'a'), call(8, 'a'))).toEqual([ask, second]);
    expect(hearing(session, result(1, 'x'), answer)).toEqual([result(8, 'two'), result(7, 'one')]);
  });
});

describe('the work of a score', () => {
  const grows = (session: (n: number) => Parameters<typeof cassette>) => {
    const [work, twice] = [200, 400].map((n) => {
      const { events } = cassette(...session(n));
      return workOf(() => void planServer(events));
    });
    expect(twice).toBeLessThan(work! * 2.2);
  };
  const many = (n: number) => Array.from({ length: n }, (_, id) => id);

  it('grows with the cassette where calls hang', () => {
    grows((n) => many(n).flatMap((id) => [client(call(id, 'hangs')), server(log)]));
  });

  it('grows with the cassette where the server asks all the time', () => {
    grows((n) => many(n).flatMap((id) => [server({ ...ask, id }), client(result(id, 'x')), server(log)]));
  });

  it('grows with the cassette where a cancelled call goes on', () => {
    grows((n) => [
      client(call(0, 'a', {}, 0)),
      ...many(n).map((value) => server(progress(0, value))),
      client(cancel(0)),
      ...many(n).map((value) => server(progress(0, value))),
    ]);
  });
});
