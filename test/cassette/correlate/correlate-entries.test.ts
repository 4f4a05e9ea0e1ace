import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlate, correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame, Side } from '../../../src/channel/frame.ts';
import type { Id } from '../../../src/protocol/message.ts';
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
import { workOf } from '../../support/work.ts';

const links = (...frames: Frame[]) => correlate(cassette(...frames).events);
const ask = (id: Id, token?: Id) =>
  request(id, 'roots/list', token === undefined ? undefined : { _meta: { progressToken: token } });

describe('an answer', () => {
  it('belongs to the request of the other side with its id, though both sides count alike', () => {
    const { answerOf, requestOf } = links(
      client(call(0, 'a')),
      server(ask(0)),
      client(call(1, 'b')),
      server(ask(1)),
      client(result(0, 'roots')),
      server(result(1, 'B')),
      client(result(1, 'roots')),
      server(result(0, 'A')),
    );
    expect([...answerOf]).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
      [0, 7],
    ]);
    expect(requestOf.get(7)).toBe(0);
  });

  it('belongs to the request whose id has its type', () => {
    const { answerOf } = links(
      client(call(1, 'a')),
      client(call('1', 'b')),
      client(call('', 'c')),
      client(call(0, 'd')),
      server(result('1', 'B')),
      server(result(0, 'D')),
      server(result('', 'C')),
      server(result(1, 'A')),
    );
    expect([0, 1, 2, 3].map((index) => answerOf.get(index))).toEqual([7, 4, 6, 5]);
  });

  it('belongs to the one of two big ids that doubles would merge', () => {
    const big = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const { answerOf } = links(
      client(big('9007199254740992')),
      client(big('9007199254740993')),
      server('{"id":9007199254740993,"result":{}}'),
    );
    expect([...answerOf]).toEqual([[1, 2]]);
  });

  it('belongs to the latest open request where an id is used again', () => {
    const { answerOf } = links(
      client(call(0, 'a')),
      server(result(0, 'A')),
      client(call(0, 'b')),
      server(result(0, 'B')),
    );
    expect([...answerOf]).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('that nobody asked for, or the second to a request, belongs to none', () => {
    const { requestOf } = links(
      server(result(7, '?')),
      client(call(0, 'a')),
      server(result(0, 'A')),
      server(result(0, 'again')),
      server({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } }),
      server({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
    );
    expect([...requestOf]).toEqual([[2, 1]]);
  });
});

describe('a cancel', () => {
  it('names a request of its own sender, answered or not', () => {
    const { cancelOf, cancelledRequestOf: cancelledBy } = links(
      client(call(1, 'a')),
      server(ask(1)),
      server(cancel(1)),
      client(cancel(1)),
      server(result(1, 'A')),
    );
    expect([...cancelOf]).toEqual([
      [1, 2],
      [0, 3],
    ]);
    expect([...cancelledBy]).toEqual([
      [2, 1],
      [3, 0],
    ]);
  });

  it('counts from the first where it was sent twice', () => {
    const { cancelOf, cancelledRequestOf: cancelledBy } = links(
      client(call(1, 'a')),
      client(cancel(1)),
      client(cancel(1)),
    );
    expect([...cancelOf]).toEqual([[0, 1]]);
    expect([...cancelledBy.keys()]).toEqual([1, 2]);
  });

  it('of nothing belongs to nothing', () => {
    expect(links(client(cancel(1)), client(call(1, 'a'))).cancelledRequestOf.size).toBe(0);
  });
});

describe('progress', () => {
  it('belongs to the request of the other side with its token', () => {
    const { progressRequestOf: progressOf, progressOf: progressBy } = links(
      client(call(0, 'a', {}, 'tok')),
      server(ask(0, 'tok')),
      server(progress('tok', 1)),
      client(progress('tok', 1)),
      server(progress('tok', 2)),
      server(progress(0, 1)),
    );
    expect([...progressOf]).toEqual([
      [2, 0],
      [3, 1],
      [4, 0],
    ]);
    expect([...progressBy]).toEqual([
      [0, [2, 4]],
      [1, [3]],
    ]);
  });

  it('belongs to the latest request where a token is used again', () => {
    const { progressRequestOf: progressOf } = links(
      client(call(0, 'a', {}, 5)),
      server(progress(5, 1)),
      client(call(1, 'b', {}, 5)),
      server(progress(5, 1)),
    );
    expect([...progressOf.values()]).toEqual([0, 2]);
  });
});

/** The same frame, on a stream. */
const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const opens = (stream: number, resumes?: string): Frame => ({
  kind: 'open',
  at: 0,
  from: 'client',
  method: 'GET',
  stream,
  ...(resumes !== undefined && { resumes }),
});
const event = (stream: number, id: string, message: unknown): Frame =>
  ({ ...server(message), stream, sse: { id } }) as Frame;

describe('over HTTP, where clients use the same ids at once', () => {
  it('an answer belongs to the request of its stream, though another has its id', () => {
    const { answerOf } = links(
      on(1, client(call(0, 'a'))),
      on(2, client(call(0, 'b'))),
      on(3, client(call(1, 'c'))),
      on(1, server(result(0, 'A'))),
      on(2, server(result(0, 'B'))),
      on(3, server(result(1, 'C'))),
    );
    expect([...answerOf]).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
  });

  it('progress belongs to the request of its stream', () => {
    const { progressRequestOf: progressOf } = links(
      on(1, client(call(0, 'a', {}, 0))),
      on(2, client(call(0, 'b', {}, 0))),
      on(1, server(progress(0, 1))),
      on(2, server(progress(0, 1))),
      on(1, server(progress(0, 2))),
    );
    expect([...progressOf.values()]).toEqual([0, 1, 0]);
  });

  it('what a stream goes on with is its conversation, however often it is resumed', () => {
    const { answerOf, progressRequestOf: progressOf } = links(
      on(1, client(call(0, 'a', {}, 7))),
      event(1, 'x', progress(7, 1)),
      on(2, client(call(0, 'b', {}, 7))),
      opens(3, 'x'),
      event(3, 'y', progress(7, 2)),
      opens(4, 'y'),
      on(4, server(result(0, 'A'))),
      on(2, server(result(0, 'B'))),
    );
    expect([...answerOf]).toEqual([
      [0, 6],
      [2, 7],
    ]);
    expect([...progressOf]).toEqual([
      [1, 0],
      [4, 0],
    ]);
  });

  it('what a resumed stream brings of another conversation belongs there', () => {
    const { answerOf } = links(
      event(1, 'x', notification('message', { level: 'info', data: 'x' })),
      on(2, client(call(0, 'a'))),
      opens(3, 'x'),
      on(3, server(result(0, 'A'))),
    );
    expect([...answerOf]).toEqual([[1, 3]]);
  });

  it('what comes on a stream of nobody’s request belongs to the latest open one, as with HTTP and SSE', () => {
    const { answerOf } = links(
      opens(1),
      on(2, client(call(0, 'a'))),
      on(1, server(result(0, 'A'))),
      on(3, client(call(1, 'b'))),
      opens(4, 'unknown'),
      on(4, server(result(1, 'B'))),
    );
    expect([...answerOf]).toEqual([
      [1, 2],
      [3, 5],
    ]);
  });

  it('a client answers from a stream of its own', () => {
    const { answerOf } = links(
      on(1, client(call(0, 'a'))),
      on(1, server(ask(0))),
      on(2, client(result(0, 'roots'))),
      on(1, server(result(0, 'A'))),
    );
    expect([...answerOf]).toEqual([
      [1, 2],
      [0, 3],
    ]);
  });

  it('a cancel names what is open and not cancelled yet, first that whose stream was left', () => {
    const left: Frame = { kind: 'close', at: 0, from: 'client', stream: 1 };
    const { cancelledRequestOf: cancelledBy } = links(
      on(1, client(call(0, 'a'))),
      on(2, client(call(0, 'b'))),
      on(3, client(call(0, 'c'))),
      on(3, server(result(0, 'C'))),
      left,
      on(4, client(cancel(0))),
      on(5, client(cancel(0))),
      on(6, client(cancel(0))),
    );
    expect([...cancelledBy]).toEqual([
      [5, 0],
      [6, 1],
      [7, 1],
    ]);
  });

  it('a server cancels its own request of the same stream', () => {
    const { cancelledRequestOf: cancelledBy } = links(
      on(1, client(call(0, 'a'))),
      on(2, client(call(0, 'b'))),
      on(1, server(ask(0))),
      on(2, server(ask(0))),
      on(1, server(cancel(0))),
    );
    expect([...cancelledBy]).toEqual([[4, 2]]);
  });
});

describe('a batch', () => {
  it('has an answer for each of its messages', () => {
    const { events } = cassette(client([call(0, 'a'), call(1, 'b')]), server([result(1, 'B'), result(0, 'A')]));
    expect([...correlateEntries(eventsToEntries(events)).answerOf]).toEqual([
      [0, 3],
      [1, 2],
    ]);
  });

  it('counts as one among the events of a cassette', () => {
    const { answerOf } = links(client([call(0, 'a'), call(1, 'b')]), server(result(1, 'B')));
    expect([...answerOf]).toEqual([[0, 1]]);
  });
});

describe('any conversation', () => {
  type Act = { side: Side; pick: number; act: 'ask' | 'answer' };
  const act = fc.record<Act>({
    side: fc.constantFrom('client', 'server'),
    pick: fc.nat(20),
    act: fc.constantFrom('ask', 'answer'),
  });

  it('is linked as it was made, both sides counting from 0 and answering in any order', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const frames: Frame[] = [];
        const open = {
          client: [] as { id: number; at: number }[],
          server: [] as { id: number; at: number }[],
        };
        const counts = { client: 0, server: 0 };
        const made: [request: number, response: number][] = [];
        for (const { side, pick, act } of acts) {
          const says = side === 'client' ? client : server;
          if (act === 'ask') {
            const id = counts[side]++;
            open[side].push({ id, at: frames.push(says(ask(id))) - 1 });
            continue;
          }
          const asked = open[side === 'client' ? 'server' : 'client'];
          const [one] = asked.splice(pick % Math.max(1, asked.length), 1);
          if (one) made.push([one.at, frames.push(says(result(one.id, 'ok'))) - 1]);
        }
        expect([...links(...frames).answerOf]).toEqual(made);
      }),
      { numRuns: 500 },
    );
  });

  it('of clients over HTTP that all use the same ids is linked as it was made', () => {
    const spoken = fc.record({ id: fc.nat(2), later: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(spoken, { maxLength: 40 }), (calls) => {
        const frames: Frame[] = [];
        const open: { at: number; frame: Frame }[] = [];
        const made: [request: number, response: number][] = [];
        for (const [n, { id, later }] of calls.entries()) {
          open.push({
            at: frames.push(on(n, client(call(id, 'a')))) - 1,
            frame: on(n, server(result(id, 'A'))),
          });
          const [one] = later % 2 ? open.splice(later % open.length, 1) : [];
          if (one) made.push([one.at, frames.push(one.frame) - 1]);
        }
        expect([...links(...frames).answerOf]).toEqual(made);
      }),
      { numRuns: 300 },
    );
  });

  it('twice as long is twice the work', () => {
    const session = (calls: number) => {
      const ids = Array.from({ length: calls }, (_, id) => id);
      const frames = ids.map((id) => client(call(id, 'a', {}, id)));
      return eventsToEntries(cassette(...frames, ...ids.map((id) => server(result(id, 'A')))).events);
    };
    const [work, twice] = [session(200), session(400)].map((entries) => workOf(() => correlateEntries(entries)));
    expect(twice).toBeLessThan(work! * 2.1);
  });
});
