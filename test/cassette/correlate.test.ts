import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlate, correlateMoves } from '../../src/cassette/correlate.ts';
import { movesOf } from '../../src/cassette/moves.ts';
import type { Frame, Side } from '../../src/channel/frame.ts';
import type { Id } from '../../src/protocol/message.ts';
import { call, cancel, client, progress, request, result, server, tape } from '../support/conversation.ts';
import { workOf } from '../support/work.ts';

const links = (...frames: Frame[]) => correlate(tape(...frames).events);
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
    const { cancelOf, cancelledBy } = links(
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
    const { cancelOf, cancelledBy } = links(client(call(1, 'a')), client(cancel(1)), client(cancel(1)));
    expect([...cancelOf]).toEqual([[0, 1]]);
    expect([...cancelledBy.keys()]).toEqual([1, 2]);
  });

  it('of nothing belongs to nothing', () => {
    expect(links(client(cancel(1)), client(call(1, 'a'))).cancelledBy.size).toBe(0);
  });
});

describe('progress', () => {
  it('belongs to the request of the other side with its token', () => {
    const { progressOf, progressBy } = links(
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
    const { progressOf } = links(
      client(call(0, 'a', {}, 5)),
      server(progress(5, 1)),
      client(call(1, 'b', {}, 5)),
      server(progress(5, 1)),
    );
    expect([...progressOf.values()]).toEqual([0, 2]);
  });
});

describe('a batch', () => {
  it('has an answer for each of its messages', () => {
    const { events } = tape(client([call(0, 'a'), call(1, 'b')]), server([result(1, 'B'), result(0, 'A')]));
    expect([...correlateMoves(movesOf(events)).answerOf]).toEqual([
      [1, 2],
      [0, 3],
    ]);
  });

  it('counts as one among the events of a tape', () => {
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

  it('twice as long is twice the work', () => {
    const session = (calls: number) => {
      const ids = Array.from({ length: calls }, (_, id) => id);
      const frames = ids.map((id) => client(call(id, 'a', {}, id)));
      return movesOf(tape(...frames, ...ids.map((id) => server(result(id, 'A')))).events);
    };
    const [work, twice] = [session(200), session(400)].map((moves) => workOf(() => correlateMoves(moves)));
    expect(twice).toBeLessThan(work! * 2.1);
  });
});
