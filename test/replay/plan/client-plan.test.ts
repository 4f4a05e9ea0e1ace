import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { META } from '../../../src/protocol/meta.ts';
import { planClient } from '../../../src/replay/plan/client-plan.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  notification,
  playClient,
  progress,
  request,
  result,
  server,
  signal,
  stderr,
} from '../../support/conversation.ts';
import { deviations, selfPlay } from '../../support/self-play.ts';
import { workOf } from '../../support/work.ts';

const ask = (id: number, params = {}) => request(id, 'sampling/createMessage', { messages: [], ...params });
const log = (data: unknown) => notification('message', { level: 'info', data });
const listen = (id: number) => request(id, 'subscriptions/listen', { notifications: {} });
const told = (id: number, method: string) => notification(method, { _meta: { [META.subscriptionId]: id } });
const [A, B, resultA, resultB] = [call(1, 'a'), call(2, 'b'), result(1, 'A'), result(2, 'B')];

/** What each part needs, by position in the cassette. */
function needs(...frames: Frame[]): Record<number, readonly number[]> {
  const { sequences } = planClient(cassette(...frames).events);
  const parts = [...sequences].flatMap((sequence) => sequence.steps);
  return Object.fromEntries(parts.map((part) => [part.entry, part.needs]));
}

describe('a part of a client', () => {
  it('needs the answers that stood before it, and no notification', () => {
    expect(
      needs(client(A), client(B), server(resultB), server(log(1)), client(call(3, 'c')), server(resultA), clientCloses),
    ).toEqual({ 0: [], 1: [], 4: [2], 6: [5, 3] });
  });

  it('needs no answer that came after the client had withdrawn its request, but one that came before', () => {
    expect(needs(client(A), client(cancel(1)), server(resultA), client(B), clientCloses)[3]).toEqual([]);
    expect(needs(client(A), server(resultA), client(cancel(1)), client(B), clientCloses)[3]).toEqual([1]);
  });

  it.each([
    ['an object that says nothing', {}],
    ['a method under a null id', { jsonrpc: '2.0', id: null, method: 'tools/call' }],
    ['a number in a batch', [7]],
  ])('needs no message where the server said %s, which nobody hears', (_what, said) => {
    expect(needs(client(A), server(said), server(resultA), clientCloses)).toEqual({ 0: [], 3: [2] });
  });

  it('that cancels needs the last frame of its call before it', () => {
    expect(
      needs(
        client(call(1, 'a', {}, 1)),
        server(progress(1, 1)),
        server(progress(1, 2)),
        client(cancel(1)),
        server(progress(1, 3)),
      )[3],
    ).toEqual([2]);
  });
});

describe('a client', () => {
  it('that meets another log than the recorded one takes the recorded one as told, once', () => {
    const session = playClient(cassette(client(A), server(log('a')), server(log('b')), server(resultA), clientCloses), {
      patience: 1_000,
    });
    session.says(log('c'), log('a'), resultA);
    expect(session.hears()).toMatchObject([A, { kind: 'close' }]);
  });

  it('is told that its subscription ended by the server’s cancel, and not by one that only looks so', () => {
    const session = playClient(cassette(client(listen(0)), server(told(0, 'ack')), server(cancel(0)), clientCloses));
    session.says(told(0, 'ack'), cancel('0'));
    expect(session.hears()).toEqual([listen(0)]);
    session.says(notification('cancelled', { requestId: 0, reason: 'going down' }));
    expect(session.hears()).toMatchObject([{ kind: 'close' }]);
  });

  it('takes no cancel for its own call’s', () => {
    const session = playClient(cassette(client(A), server(ask(1)), server(cancel(1)), server(resultA), clientCloses));
    session.says(cancel(1), resultA);
    expect(session.hears()).toEqual([A]);
    session.says(ask(1), cancel(1));
    expect(session.hears()).toMatchObject([{ kind: 'close' }]);
  });
});

describe('both sides of one cassette play the same session again', () => {
  const task = { task: { taskId: 't', status: 'working' } };
  const related = { _meta: { [META.relatedTask]: { taskId: 't' } } };
  const answer = (id: number, fields: object) => ({ jsonrpc: '2.0', id, result: fields });

  it.each<[string, Frame[]]>([
    ['a cancel that was too late', [client(A), server(resultA), client(cancel(1)), client(B), server(resultB)]],
    ['a cancel that crossed the answer', [client(A), client(cancel(1)), server(resultA), client(B), server(resultB)]],
    ['a cancel sent twice', [client(A), client(cancel(1)), client(cancel(1)), client(B), server(resultB)]],
    ['a server that withdraws its request', [client(A), server(ask(1)), server(cancel(1)), server(resultA)]],
    [
      'a request that was withdrawn and answered all the same',
      [client(A), server(ask(1)), server(cancel(1)), client(result(1, 'x')), server(resultA)],
    ],
    [
      'a request that was withdrawn too late',
      [client(A), server(ask(1)), client(result(1, 'x')), server(cancel(1)), server(resultA)],
    ],
    [
      'a request with no call open, answered while another call is, and withdrawn then',
      [
        client(A),
        client(cancel(1)),
        server(ask(0)),
        client(B),
        client(result(0, 'x')),
        server(cancel(0)),
        server(resultB),
      ],
    ],
    [
      'progress of the client',
      [
        client(A),
        server(ask(1, { _meta: { progressToken: 1 } })),
        client(progress(1, 1)),
        client(result(1, 'x')),
        server(resultA),
      ],
    ],
    ['an id used again', [client(A), server(resultA), client(call(1, 'b')), server(result(1, 'B'))]],
    [
      'a subscription that the client ends',
      [
        client(listen(1)),
        server(told(1, 'subscriptions/acknowledged')),
        client(B),
        server(told(1, 'tools/list_changed')),
        server(resultB),
        client(cancel(1)),
        server(answer(1, {})),
      ],
    ],
    [
      'a subscription that the server ends',
      [client(listen(1)), server(told(1, 'subscriptions/acknowledged')), client(B), server(resultB), server(cancel(1))],
    ],
    [
      'a task and its side channel',
      [
        client(request(0, 'tools/call', { name: 'slow', task: {} })),
        server(answer(0, task)),
        client(request(1, 'tasks/get', { taskId: 't' })),
        server(answer(1, { taskId: 't', status: 'input_required' })),
        client(request(2, 'tasks/result', { taskId: 't' })),
        server(request(0, 'elicitation/create', related)),
        client(answer(0, related)),
        server(answer(2, related)),
      ],
    ],
    ['a server that dies with a call open', [client(A), client(B), server(resultB), stderr('oh'), exits('SIGSEGV')]],
    ['a server that is ended by a signal', [client(A), server(resultA), signal('SIGTERM'), stderr('bye')]],
  ])('%s', (_, frames) => {
    const recorded = cassette(...frames, clientCloses);
    const played = selfPlay(recorded);
    expect(deviations(recorded, played.frames)).toEqual([]);
    expect(played.findings).toEqual([]);
  });

  type Act = 'call' | 'answer' | 'ask' | 'reply' | 'clientCancels' | 'serverCancels' | 'log';
  const act = fc.constantFrom<Act>('call', 'answer', 'ask', 'reply', 'clientCancels', 'serverCancels', 'log');

  /** Any session in which either side may withdraw a request at any time, also after its answer, or both at once. */
  function sessionOf(acts: readonly (readonly [Act, number])[]): Frame[] {
    const frames: Frame[] = [client(request(0, 'initialize')), server(result(0, 'hi'))];
    const calls: number[] = [];
    const asks: number[] = [];
    const [openCalls, openAsks] = [new Set<number>(), new Set<number>()];
    for (const [act, pick] of acts) {
      const called = calls[pick % Math.max(1, calls.length)];
      const asked = asks[pick % Math.max(1, asks.length)];
      if (act === 'log') frames.push(server(log(pick)));
      if (act === 'call') {
        const id = calls.length + 1;
        calls.push(id);
        openCalls.add(id);
        frames.push(client(call(id, 'a', { id }, id)));
      }
      if (act === 'ask' && openCalls.size === 1) {
        const id = asks.length;
        asks.push(id);
        openAsks.add(id);
        frames.push(server(ask(id, { maxTokens: id })));
      }
      if (act === 'answer' && called !== undefined && openCalls.delete(called)) {
        frames.push(server(result(called, `done ${called}`)));
      }
      if (act === 'reply' && asked !== undefined && openAsks.delete(asked)) {
        frames.push(client(result(asked, `sampled ${asked}`)));
      }
      if (act === 'clientCancels' && called !== undefined) frames.push(client(cancel(called)));
      if (act === 'serverCancels' && asked !== undefined) frames.push(server(cancel(asked)));
    }
    return [...frames, clientCloses];
  }

  it('whoever withdraws what, and when', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(act, fc.nat(9)), { maxLength: 25 }), (acts) => {
        const recorded = cassette(...sessionOf(acts));
        const played = selfPlay(recorded);
        expect(deviations(recorded, played.frames)).toEqual([]);
        // The end of a session leaves calls without an answer, and that is said.
        expect(played.findings.filter(({ kind }) => kind !== 'unanswerable')).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The same frame, on a stream. */
const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const base = { at: 0, from: 'client' } as const;
const opens = (stream: number, method: string, resumes?: string): Frame => ({
  ...base,
  kind: 'open',
  method,
  stream,
  ...(resumes !== undefined && { resumes }),
});
const leaves = (stream: number): Frame => on(stream, clientCloses);
const ends = (stream: number): Frame => ({ kind: 'close', at: 0, from: 'server', stream });
const replies = (stream: number, status: number | 'sse'): Frame => ({
  kind: 'http-response',
  at: 0,
  from: 'server',
  status: status as number,
  stream,
});
const event = (stream: number, id: string): Frame => ({
  kind: 'sse',
  at: 0,
  from: 'server',
  sse: { id },
  stream,
});

describe('a client over HTTP', () => {
  it('opens a stream in its turn, and nothing waits for what comes on it', () => {
    expect(
      needs(on(1, client(A)), on(1, server(resultA)), opens(2, 'GET'), on(2, server(log(1))), on(3, client(B))),
    ).toMatchObject({ 2: [1], 4: [] });
  });

  it('leaves a stream to listen on when all has come that came on it, and says more afterwards', () => {
    expect(needs(opens(1, 'GET'), on(1, server(log(1))), on(2, client(A)), leaves(1), on(3, client(B)))).toMatchObject({
      3: [1],
      4: [],
    });
  });

  it('leaves a stream when the messages have come that came on it, and waits for nothing that is none', () => {
    expect(needs(opens(1, 'GET'), on(1, server(log(1))), on(1, server({})), leaves(1))[3]).toEqual([1]);
  });

  it('leaves the stream of a call, which is its cancel, after as many frames as it had then, whatever else goes on', () => {
    const frames = [
      on(1, client(call(1, 'a', {}, 7))),
      on(1, server(progress(7, 1))),
      on(1, server(progress(7, 2))),
      leaves(1),
      on(2, client(B)),
      on(2, server(resultB)),
    ];
    expect(needs(...frames)).toEqual({ 0: [], 3: [2], 4: [], 6: [5, 1, 2] });
    expect(planClient(cassette(...frames).events).sequences.get(0)).toMatchObject([{ steps: [{ entry: 3 }] }]);
  });

  it('leaves the stream of a call that was answered in its turn, like any other', () => {
    expect(needs(on(1, client(A)), on(1, server(resultA)), on(2, client(B)), leaves(1))).toMatchObject({
      2: [1],
      3: [1],
    });
  });

  it('does not wait for the end of a stream that it had left', () => {
    expect(needs(on(1, client(A)), leaves(1), ends(1), on(2, client(B)))[3]).toEqual([]);
  });

  it('cancels a subscription in its turn, after all that came for it', () => {
    const updated = told(9, 'notifications/tools/list_changed');
    const acknowledged = told(9, 'notifications/subscriptions/acknowledged');
    const frames = [
      client(listen(9)),
      server(acknowledged),
      client(A),
      server(updated),
      server(resultA),
      client(cancel(9)),
      client(B),
      server(resultB),
    ];
    expect(needs(...frames)).toMatchObject({ 2: [], 5: [4, 3], 6: [] });
  });

  it('leaves a subscription in its turn, and not as soon as it can', () => {
    expect(
      needs(
        on(1, client(listen(1))),
        on(1, server(told(1, 'notifications/subscriptions/acknowledged'))),
        on(2, client(B)),
        on(2, server(resultB)),
        leaves(1),
      ),
    ).toMatchObject({ 2: [], 4: [3, 1] });
  });

  it('does not go on by the cassette with a stream that the server had ended: the live one ends its own', () => {
    const polled = [on(1, client(A)), event(1, 'x'), ends(1), opens(2, 'GET', 'x'), on(2, server(resultA))];
    expect(needs(...polled, on(3, client(B)))).toEqual({ 0: [], 5: [4], 6: [] });
  });

  it('goes on by the cassette with a stream that it had left itself', () => {
    const left = [on(1, client(A)), event(1, 'x'), leaves(1), opens(2, 'GET', 'x'), on(2, server(resultA))];
    expect(needs(...left, on(3, client(B)))).toEqual({ 0: [], 2: [], 3: [], 5: [4], 6: [] });
  });

  it('ends its session after all of it, and leaves its streams then', () => {
    expect(
      needs(on(1, client(A)), on(1, server(resultA)), opens(2, 'GET'), on(2, server(log(1))), opens(3, 'DELETE')),
    ).toMatchObject({ 4: [3], 5: [3] });
  });

  it.each([
    ['a status', replies(1, 404)],
    ['an error that names no request', on(1, server({ jsonrpc: '2.0', id: null, error: { code: -32000 } }))],
    ['the end of its stream', ends(1)],
  ])('goes on after %s as after an answer', (_what, refusal) => {
    expect(needs(on(1, client(A)), refusal, on(2, client(B)))[2]).toEqual([1]);
  });

  it('takes no accepted message, and no stream of events, for a refusal', () => {
    expect(needs(on(1, client(A)), replies(1, 'sse'), on(2, client(B)))[2]).toEqual([]);
    expect(needs(on(1, client(log(1))), replies(1, 400), on(2, client(B)))[2]).toEqual([]);
  });

  it('waits for the answer that a resumed stream brought, and not for the end of the first', () => {
    const frames = [on(1, client(A)), event(1, 'x'), ends(1), opens(2, 'GET', 'x'), on(2, server(resultA))];
    expect(planClient(cassette(...frames).events).links.answerOf.get(0)).toBe(4);
  });

  it('says to its server what it does to streams, each by its number', () => {
    const { says, hears } = playClient(cassette(on(1, client(A)), on(1, server(resultA)), opens(2, 'GET'), leaves(2)));
    expect(hears()).toEqual([A]);
    says(resultA);
    expect(hears()).toMatchObject([
      { kind: 'open', stream: 2 },
      { kind: 'close', stream: 2 },
      { kind: 'close', from: 'client' },
    ]);
  });
});

it('the work of a score grows with the cassette, also where every call is cancelled', () => {
  const [work, twice] = [200, 400].map((n) => {
    const ids = Array.from({ length: n }, (_, id) => id);
    const frames = ids.flatMap((id) => [client(call(id, 'a', {}, id)), server(progress(id, 1)), client(cancel(id))]);
    const { events } = cassette(...frames);
    return workOf(() => void planClient(events));
  });
  expect(twice).toBeLessThan(work! * 2.2);
});
