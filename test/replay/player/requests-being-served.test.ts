import { describe, expect, it } from 'vitest';
import {
  call,
  cancel,
  cassette,
  client,
  play,
  playClient,
  progress,
  request,
  result,
  server,
} from '../../support/conversation.ts';
import { leftBy } from '../../support/work.ts';

const ask = request(0, 'sampling/createMessage', { messages: [], _meta: { progressToken: 7 } });
const answer = result(0, 'sampled');
const A = call(1, 'a');

describe('a live cancel', () => {
  it('stops the request that it names, by id and direction', () => {
    const session = play(cassette(client(A), server(ask), client(answer), server(result(1, 'A'))));
    session.says(call(0, 'a'));
    session.says(cancel(1), cancel('0'), answer);
    expect(session.hears()).toEqual([ask, result(0, 'A')]);
  });

  it('stops every frame of it: what a client reports and what it answers', () => {
    const session = playClient(
      cassette(client(A), server(ask, 0), client(progress(7, 1), 10), client(answer, 50), server(result(1, 'A'), 60)),
      { timing: 'recorded' },
    );
    session.hears();
    session.says(ask);
    session.clock.advance(10);
    expect(session.hears()).toEqual([progress(7, 1)]);
    session.says(cancel(0));
    session.clock.advance(100);
    expect(session.hears()).toEqual([]);
  });

  it('stops the request that has the id now, where a client used it twice at once', () => {
    const session = play(
      cassette(
        client(A),
        server(ask),
        client(answer),
        server(result(1, 'A')),
        client(call(2, 'b')),
        server({ ...ask, id: 1 }),
        client(result(1, 'x')),
        server(result(2, 'B')),
      ),
    );
    session.says(call(5, 'a'), call(5, 'b'), answer);
    expect(session.hears()).toEqual([ask, { ...ask, id: 1 }, result(5, 'A')]);
    session.says(cancel(5), result(1, 'x'));
    expect(session.hears()).toEqual([]);
  });

  it('of nothing, of what was answered, or twice, is passed over', () => {
    const session = play(cassette(client(A), server(result(1, 'A'))));
    session.says(cancel(9), A, cancel(1), cancel(1), { jsonrpc: '2.0', method: 'notifications/cancelled' });
    session.player.finish();
    expect([session.hears(), session.findings]).toEqual([[result(1, 'A')], []]);
  });

  it('has happened though its request had nothing more to say: what waits for it goes on', () => {
    const session = playClient(cassette(client(A), server(ask), server(cancel(0)), server(result(1, 'A'))), {
      patience: 1_000,
    });
    session.hears();
    session.says({ ...ask, id: 'live' }, cancel('live'), result(1, 'A'));
    expect(session.hears()).toMatchObject([{ kind: 'close' }]);
    expect(session.findings).toEqual([]);
  });
});

it('polls leave nothing behind, however many there are', () => {
  const poll = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"tasks/get","params":{"taskId":"t"}}`;
  const session = play(cassette(client(poll(0)), client(cancel(0)), client(poll(1)), server(result(1, 'working'))));
  const times = (count: number, from: number) => {
    for (let id = from; id < from + count; id++) session.says(poll(id));
    session.hears();
  };
  times(1_000, 0);
  expect(leftBy(() => times(30_000, 1_000))).toBeLessThan(1_000_000);
});
