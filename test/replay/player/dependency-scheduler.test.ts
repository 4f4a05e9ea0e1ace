import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { META } from '../../../src/protocol/meta.ts';
import { LISTEN } from '../../../src/protocol/method-table.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import type { PlanStep } from '../../../src/replay/plan/steps-by-trigger.ts';
import { DependencyScheduler, type SchedulerOptions } from '../../../src/replay/player/dependency-scheduler.ts';
import { NO_BINDINGS } from '../../../src/replay/tokens/token-cursor-rewriter.ts';
import {
  call,
  cancel,
  cassette as cassetteOf,
  client,
  clientCloses,
  notification,
  play,
  playClient,
  progress,
  request,
  result,
  server,
} from '../../support/conversation.ts';
import { workOf } from '../../support/work.ts';

/** A scheduler that tells what it said, by position in the cassette. */
function staged(cassette: Cassette, options: Partial<SchedulerOptions> = {}) {
  const clock = new ManualClock();
  const said: number[] = [];
  const scheduler = new DependencyScheduler({
    plan: planServer(cassette.events),
    clock,
    timing: 'instant',
    send: ({ entry }: PlanStep) => said.push(entry) > 0,
    ...options,
  });
  return { clock, scheduler, said, open: (entry?: number) => scheduler.open(entry, NO_BINDINGS) };
}

const log = notification('message', { data: 'x' });
const ask = request(0, 'roots/list');
const A = call(1, 'a', {}, 'p');
const asking = cassetteOf(client(A), server(ask), client(result(0, 'roots')), server(result(1, 'A')));

describe('a lane', () => {
  it('says its parts in order, and waits where one waits', () => {
    const { scheduler, said, open } = staged(asking);
    open(0);
    expect(said).toEqual([1]);
    scheduler.happen(2);
    expect(said).toEqual([1, 3]);
  });

  it('goes through at once where what it waits for had happened', () => {
    const { scheduler, said, open } = staged(asking);
    scheduler.happen(2);
    open(0);
    expect(said).toEqual([1, 3]);
    expect(scheduler.happened(2) && scheduler.happened(0)).toBe(true);
  });

  it('tells when it has ended, once', () => {
    const { scheduler } = staged(asking);
    let ended = 0;
    scheduler.open(0, NO_BINDINGS, () => ended++);
    expect(ended).toBe(0);
    scheduler.happen(2);
    scheduler.happen(2);
    expect(ended).toBe(1);
  });

  it('that is one answer says nothing after the end of the session', () => {
    const { scheduler, said, open } = staged(cassetteOf(client(A), server(result(1, 'A'))));
    scheduler.stop();
    open(0);
    expect(said).toEqual([]);
  });

  it('is none where the cassette has nothing more', () => {
    expect(staged(asking).open(3)).toEqual([]);
  });
});

describe('a response that would leave in the turn of a notification', () => {
  const reporting = cassetteOf(client(A), server(progress('p', 1)), server(result(1, 'A')));

  it('leaves a millisecond later', () => {
    const { clock, said, open } = staged(reporting);
    open(0);
    expect(said).toEqual([1]);
    clock.advance(1);
    expect(said).toEqual([1, 2]);
  });

  it('leaves later than progress of its request where peers read several messages at once', () => {
    const { clock, said, open } = staged(reporting, { progressGap: 20 });
    open(0);
    clock.advance(19);
    expect(said).toEqual([1]);
    clock.advance(1);
    expect(said).toEqual([1, 2]);
  });

  it('does not wait for progress of another request, and counts from the last progress', () => {
    const [B, ofB] = [call(2, 'b'), result(2, 'B')];
    const asked = cassetteOf(
      client(A),
      server(progress('p', 1)),
      server(ask),
      client(result(0, 'roots')),
      server(result(1, 'A')),
      client(B),
      server(ofB),
    );
    const { clock, scheduler, said, open } = staged(asked, { progressGap: 20 });
    open(0);
    clock.endTurn();
    open(5);
    expect(said).toEqual([1, 2, 6]);
    clock.advance(15);
    scheduler.happen(3);
    expect(said).toEqual([1, 2, 6]);
    clock.advance(5);
    expect(said).toEqual([1, 2, 6, 4]);
  });

  it('leaves a millisecond later, too, where another call had brought the notification', () => {
    const [B, ofB] = [call(2, 'b'), result(2, 'B')];
    const two = cassetteOf(client(A), server(progress('p', 1)), server(result(1, 'A')), client(B), server(ofB));
    const { clock, said, open } = staged(two);
    open(0);
    open(3);
    expect(said).toEqual([1]);
    clock.advance(1);
    expect(said).toEqual([1, 2, 4]);
  });

  it('leaves a millisecond later, too, where its own request let the notification go', () => {
    const listened = { _meta: { [META.subscriptionId]: 'l' } };
    const told = cassetteOf(
      client(request('l', LISTEN, { notifications: {} })),
      server(notification('subscriptions/acknowledged', listened)),
      client(call(1, 'a')),
      server(notification('tools/list_changed', listened)),
      server(result(1, 'A')),
    );
    const { clock, said, open } = staged(told);
    open(0);
    clock.endTurn();
    open(2);
    expect(said).toEqual([1, 3]);
    clock.advance(1);
    expect(said).toEqual([1, 3, 4]);
  });

  it('leaves at once where the notification went in an earlier turn', () => {
    const two = cassetteOf(client(notification('initialized')), server(log), client(A), server(result(1, 'A')));
    const { clock, said, open } = staged(two);
    open(0);
    clock.endTurn();
    open(2);
    expect(said).toEqual([1, 3]);
  });

  it('is what the end of input waits for', () => {
    const { scheduler, clock, said, open } = staged(reporting);
    open(0);
    const idle: number[] = [];
    scheduler.whenIdle(() => idle.push(...said));
    expect(idle).toEqual([]);
    clock.advance(1);
    expect(idle).toEqual([1, 2]);
  });

  it('is not said any more after a cancel, and is left', () => {
    const { scheduler, clock, said, open } = staged(reporting);
    const [run] = open(0);
    scheduler.cancel(run!);
    clock.advance(10);
    expect(said).toEqual([1]);
    expect(scheduler.unsaid().map(({ entry }) => entry)).toEqual([2]);
  });
});

describe('time', () => {
  const slow = cassetteOf(client(A, 100), server(progress('p', 1), 150), server(result(1, 'A'), 400));

  it('is kept from what released a part, not from the session’s start', () => {
    const { clock, said, open } = staged(slow, { timing: 'recorded' });
    clock.advance(10_000);
    open(0);
    clock.advance(49);
    expect(said).toEqual([]);
    clock.advance(1);
    expect(said).toEqual([1]);
    clock.advance(249);
    expect(said).toEqual([1]);
    clock.advance(1);
    expect(said).toEqual([1, 2]);
  });

  it('is kept in each lane by itself', () => {
    const two = cassetteOf(
      client(A, 0),
      client(call(2, 'b'), 5),
      server(result(1, 'A'), 100),
      server(result(2, 'B'), 105),
    );
    const { clock, said, open } = staged(two, { timing: 'recorded' });
    open(0);
    clock.advance(50);
    open(1);
    clock.advance(50);
    expect(said).toEqual([2]);
    clock.advance(50);
    expect(said).toEqual([2, 3]);
  });

  it('ends with the session: nothing is said after it', () => {
    const { scheduler, clock, said, open } = staged(slow, { timing: 'recorded' });
    open(0);
    scheduler.stop();
    clock.advance(1_000);
    expect(said).toEqual([]);
    expect(scheduler.unsaid().map(({ entry }) => entry)).toEqual([1, 2]);
  });
});

describe('patience', () => {
  it('ends every wait: the part goes on, and what did not come is told', () => {
    const missing: number[] = [];
    const over = (_: PlanStep, entry: number) => void missing.push(entry);
    const { clock, said, open } = staged(asking, { patience: { wait: 500, over } });
    open(0);
    clock.advance(499);
    expect([said, missing]).toEqual([[1], []]);
    clock.advance(1);
    expect([said, missing]).toEqual([[1, 3], [2]]);
  });

  it('is over when what was waited for has come', () => {
    const missing: number[] = [];
    const over = (_: PlanStep, entry: number) => void missing.push(entry);
    const { clock, scheduler, open } = staged(asking, { patience: { wait: 500, over } });
    open(0);
    scheduler.happen(2);
    clock.advance(10_000);
    expect(missing).toEqual([]);
  });

  it('without a limit waits for as long as the peer likes', () => {
    const { clock, said, open } = staged(asking);
    open(0);
    clock.advance(1_000_000_000);
    expect(said).toEqual([1]);
  });
});

describe('a part that cannot be said', () => {
  it('is left out, and its lane goes on', () => {
    const recorded = cassetteOf(client(A), server(progress('p', 1)), server(result(1, 'A')));
    const said: number[] = [];
    const { open } = staged(recorded, { send: ({ entry }) => entry !== 1 && said.push(entry) > 0 });
    open(0);
    expect(said).toEqual([2]);
  });
});

describe('a list asked again', () => {
  const list = (id: number) => request(id, 'tools/list');
  const recorded = cassetteOf(client(list(1)), server(ask), client(result(0, 'roots')), server(result(1, 'list')));

  it('repeats its answer, and not what the server asked for it', () => {
    const session = play(recorded);
    session.says(list(5), result(0, 'roots'), list(6));
    expect(session.hears()).toEqual([ask, result(5, 'list'), result(6, 'list')]);
  });

  it('while the server still asks for the first, waits for the same answer', () => {
    const session = play(recorded);
    session.says(list(5), list(6));
    expect(session.hears()).toEqual([ask]);
    session.says(result(0, 'roots'));
    expect(session.hears()).toEqual([result(5, 'list'), result(6, 'list')]);
  });
});

describe('after its end', () => {
  it('a session says nothing to anybody', () => {
    const session = play(cassetteOf(client(A), server(result(1, 'A'))));
    session.player.finish();
    session.says(A, request(5, 'ping'), call(7, 'unknown'));
    session.closes();
    expect(session.hears()).toEqual([]);
  });
});

describe('hostile input', () => {
  const session = () => play(cassetteOf(client(A), server(result(1, 'A'))));
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  it.each([
    ['nested deep', `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","arguments":{"x":${nested}}}}`],
    [
      'named like what objects inherit',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","arguments":{"constructor":1}}}',
    ],
    [
      'named __proto__',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","arguments":{"__proto__":{"x":1}}}}',
    ],
    ['without params', '{"jsonrpc":"2.0","id":4,"method":"tools/call"}'],
    ['with params of another kind', '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[1]}'],
    ['with an odd method', '{"jsonrpc":"2.0","id":4,"method":"__proto__"}'],
  ])('a request %s is a miss', (_, text) => {
    const live = session();
    live.says(text);
    expect(live.hears()).toMatchObject([{ id: 4, error: { code: -32603 } }]);
    expect(live.findings.map(({ kind }) => kind)).toEqual(['miss']);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it.each([
    '[]',
    '{}',
    nested,
    '[[]]',
    '{"id":1}',
    '{"id":null,"method":"x"}',
    '{"id":{},"method":"x"}',
    '[1,null,"a"]',
  ])('what is no message is passed over, and told', (text) => {
    const live = session();
    live.says(text);
    expect(live.hears()).toEqual([]);
    const [batch, none] = [{ kind: 'differs', text: expect.stringContaining('sent a batch') }, { kind: 'unrecorded' }];
    const told = text === '[]' ? [] : text.startsWith('[1') ? [none, none, none] : [none];
    expect(live.findings).toMatchObject(text.startsWith('[') ? [batch, ...told] : told);
  });

  it('answers to nothing are told, and hold nothing up', () => {
    const live = session();
    live.says(
      result(0, 'x'),
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"?"}}',
      '{"jsonrpc":"2.0","result":{}}',
      A,
    );
    expect(live.hears()).toEqual([result(1, 'A')]);
    expect(live.findings.map(({ kind }) => kind)).toEqual(['stray', 'stray', 'stray']);
  });
});

describe('the work of a wait', () => {
  it('for many things is that of each of them, once', () => {
    const told = (n: number) => Array.from({ length: n }, (_, data) => notification('message', { data }));
    const [work, twice] = [200, 400].map((n) => {
      const session = playClient(cassetteOf(...told(n).map((message) => server(message)), clientCloses));
      return workOf(() => session.says(...told(n)));
    });
    expect(twice).toBeLessThan(work! * 2.1);
  });

  it('for more than a call can have arguments is done too', () => {
    const told = Array.from({ length: 150_000 }, (_, data) => notification('message', { data }));
    const session = playClient(cassetteOf(server(told), clientCloses));
    session.says(told);
    expect(session.hears()).toMatchObject([{ kind: 'close' }]);
  });
});

it('a live cancel of a lane that waits lets go what the cassette said after its own', () => {
  const { scheduler, said, open } = staged(cassetteOf(client(A), client(cancel(1)), server(result(1, 'A'))));
  const [run] = open(0);
  expect(said).toEqual([]);
  scheduler.cancel(run!);
  expect(said).toEqual([2]);
});
