import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LoadStats } from '../../src/load/load-stats.ts';
import type { Step } from '../../src/text-report/outcome-model.ts';

const answered = (title: string, duration: number, rest: Partial<Step> = {}): Step => ({
  title,
  line: 10,
  status: 'passed',
  duration,
  ...rest,
});
const AT_ONCE = { answers: new Map<number, number>(), end: 0 };
const outcome = (...steps: Step[]) => ({ title: 'verify', file: 'a.yaml', steps, notes: [], duration: 1 });

it('has the times of each kind of request, right to a thousandth', () => {
  const stats = new LoadStats();
  for (let n = 1; n <= 1_000; n++)
    stats.add(n, outcome(answered('tools/call "a"', n), answered('tools/list', 0.5)), AT_ONCE);
  const [call, list] = stats.calls();
  expect([call!.what, call!.answers, list!.answers]).toEqual(['tools/call "a"', 1_000, 1_000]);
  const { p50, p95, p99, max, mean } = call!.took!;
  for (const [actual, expected] of [
    [p50, 500],
    [p95, 950],
    [p99, 990],
    [max, 1_000],
    [mean, 500.5],
  ] as const) {
    expect(Math.abs(actual / expected - 1)).toBeLessThan(0.002);
  }
  expect(stats.times()!.percentile(25)).toBeCloseTo(0.5, 2);
  expect(stats.times('tools/call "b"')).toBeUndefined();
});

it('finds one wrong answer in 10,000, and the session that had it', () => {
  const stats = new LoadStats();
  for (let n = 1; n <= 10_000; n++) {
    const wrong: Partial<Step> = n === 7_777 ? { status: 'failed', headline: '/result is "snow"', live: 'snow' } : {};
    stats.add(n, outcome(answered('tools/call "weather"', 1, wrong)), AT_ONCE);
  }
  expect(stats.counts).toMatchObject({ sessions: 10_000, failedSessions: 1, checks: 10_000, failed: 1 });
  expect(stats.failures()).toEqual([
    { step: expect.objectContaining({ live: 'snow', file: 'a.yaml', line: 10 }), count: 1, session: 7_777 },
  ]);
});

it('counts failures as one kind that differ in numbers, and keeps a hundred kinds', () => {
  const stats = new LoadStats();
  const failed = (headline: string) => stats.add(1, outcome(answered('x', 1, { status: 'failed', headline })), AT_ONCE);
  for (let n = 0; n < 50; n++) failed(`took ${n} ms`);
  expect(stats.failures().map(({ count }) => count)).toEqual([50]);
  for (let n = 0; n < 150; n++) failed(`is ${'a'.repeat(n)}`);
  expect(stats.failures()).toHaveLength(100);
  expect(stats.counts).toMatchObject({ failed: 200, unlisted: 51 });
});

it('counts failures as one kind whose only difference is an id that is new in each session', () => {
  const stats = new LoadStats();
  const said = (text: string) => ({ result: { content: [{ type: 'text', text }] } });
  const failed = (live: string, recorded = 'Cart 5377c0de-1f2a-4b3c-9d4e-0a1b2c3d4e5f') => {
    const headline = `/result/content/0/text ("${recorded}" → "${live}")`;
    stats.add(
      1,
      outcome(answered('x', 1, { status: 'failed', headline, recorded: said(recorded), live: said(live) })),
      AT_ONCE,
    );
  };
  failed('Cart 2db5a0de-1f2a-4b3c-9d4e-0a1b2c3d4e5f');
  failed('Cart dbfacade-feed-4eef-8ead-abcdefabcdef');
  failed('Cart dbfacade-1f2a-4b3c-9d4e-0a1b2c3d4e5f');
  failed('no cart');
  failed('another cart');
  expect(stats.failures().map(({ count }) => count)).toEqual([3, 1, 1]);
});

it('counts what was not answered, and nothing that was not reached', () => {
  const stats = new LoadStats();
  const unanswered: Step = { title: 'tools/list', line: 5, status: 'failed', headline: 'was not answered' };
  stats.add(1, outcome(unanswered, { title: 'ping', status: 'skipped', duration: 3 }), AT_ONCE);
  stats.addUnreached(2, 'a.yaml', 'nobody listens', 0);
  expect(stats.calls()).toEqual([
    { what: 'tools/list', answers: 0, failed: 1 },
    { what: 'the server', answers: 0, failed: 1 },
  ]);
  expect(stats.counts).toMatchObject({ answers: 0, checks: 2, failed: 2 });
  expect(stats.times()).toBeUndefined();
});

it('counts an answer when it came, and what else failed when its session ended', () => {
  const stats = new LoadStats();
  const lost: Step = { title: 'notifications/message', line: 12, status: 'failed', headline: 'dropped' };
  const wrong = answered('tools/call "b"', 40, { line: 11, status: 'failed' });
  const times = {
    answers: new Map([
      [10, 100],
      [11, 1_200],
    ]),
    end: 4_100,
  };
  stats.add(1, outcome(answered('tools/call "a"', 20), wrong, lost), times);
  expect(stats.intervals(5_000).map(({ answers, failed, sessions }) => [answers, failed, sessions])).toEqual([
    [1, 0, 0],
    [1, 1, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 1, 1],
  ]);
});

it('adds what another thread has counted, as if one had counted all', async () => {
  const [whole, own, other] = [new LoadStats(), new LoadStats(), new LoadStats()];
  for (let n = 1; n <= 1_000; n++) {
    const isWrong = n % 10 === 0;
    const wrong: Partial<Step> = isWrong ? { status: 'failed', headline: `is ${n}`, live: n } : {};
    const steps = [answered('tools/call "a"', n, wrong), ...(n % 2 === 0 ? [answered('ping', 2)] : [])];
    const session = { ...outcome(...steps), notes: [`note ${n % 4}`] };
    for (const stats of [whole, n % 2 === 1 || n > 500 ? own : other]) {
      stats.add(n, session, { answers: new Map([[10, n * 3]]), end: n * 3 });
      stats.addStreams({ lost: 2, resumed: 1 });
    }
  }
  own.addThread(await throughThread(other.cloneable((step) => step)));
  expect(own.counts).toEqual(whole.counts);
  expect(own.calls()).toEqual(whole.calls());
  expect(own.times()!.percentile(99)).toBe(whole.times()!.percentile(99));
  expect(own.intervals(3_000)).toEqual(whole.intervals(3_000));
  expect(own.failures()).toEqual(whole.failures());
  expect(own.notes.sort()).toEqual(whole.notes.sort());
});

it('gives another thread no failure as it was', () => {
  const stats = new LoadStats();
  stats.add(1, outcome(answered('a', 1, { status: 'failed', headline: 'differs', live: 'secret' })), AT_ONCE);
  const { failures } = stats.cloneable((step) => ({ ...step, live: '[redacted]' }));
  expect([...failures.values()].map(({ step }) => step.live)).toEqual(['[redacted]']);
});

/** Returns what a thread gets that is sent `value`. */
async function throughThread<T>(value: T): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  const received = once(port2, 'message');
  port1.postMessage(value);
  const [data] = (await received) as [T];
  port1.close();
  return data;
}
