import { expect, it } from 'vitest';
import { LoadSeries } from '../../src/load/load-series.ts';

/** A series of a load with an answer every 10 ms: the n-th one takes n ms. */
function answered(count: number, series = new LoadSeries()): LoadSeries {
  for (let n = 0; n < count; n++) series.addAnswer(n * 10, n);
  return series;
}

it('has the answers and the times of each second', () => {
  const intervals = answered(300).intervals(3_000);
  expect(intervals.map(({ at, duration, answers }) => [at, duration, answers])).toEqual([
    [0, 1_000, 100],
    [1_000, 1_000, 100],
    [2_000, 1_000, 100],
  ]);
  const { p50, p95, p99, max } = intervals[2]!.took!;
  for (const [actual, expected] of [
    [p50, 249],
    [p95, 294],
    [p99, 298],
    [max, 299],
  ] as const)
    expect(Math.abs(actual / expected - 1)).toBeLessThan(0.02);
});

it('has seconds in which nothing happened, up to the end', () => {
  const series = new LoadSeries();
  series.addFailure(2_100);
  expect(series.intervals(5_000)).toEqual(
    [0, 0, 1, 0, 0].map((failed, index) => ({ at: index * 1_000, duration: 1_000, answers: 0, failed, sessions: 0 })),
  );
});

it('counts a short rest with the last second, and a longer one by itself', () => {
  const durations = (duration: number) =>
    answered(100 + 1, new LoadSeries())
      .intervals(duration)
      .map((one) => [one.duration, one.answers]);
  expect(durations(1_020)).toEqual([[1_020, 101]]);
  expect(durations(1_600)).toEqual([
    [1_000, 100],
    [600, 1],
  ]);
  expect(durations(1_020)).toEqual([[1_020, 101]]);
});

it('gives the same figures when it is asked again', () => {
  const series = answered(101);
  expect(series.intervals(1_020)).toEqual(series.intervals(1_020));
});

it('joins intervals when there are too many, and loses nothing', () => {
  const series = new LoadSeries({ intervalsMax: 4 });
  answered(1_000, series);
  series.addSession(9_900);
  const intervals = series.intervals(10_000);
  expect(intervals.map(({ at, duration, answers, sessions }) => [at, duration, answers, sessions])).toEqual([
    [0, 4_000, 400, 0],
    [4_000, 4_000, 400, 0],
    [8_000, 2_000, 200, 1],
  ]);
  expect(Math.abs(intervals[0]!.took!.p50 / 199 - 1)).toBeLessThan(0.02);
  expect(Math.abs(intervals[1]!.took!.max / 799 - 1)).toBeLessThan(0.02);
});

it('is no larger after a day than after five minutes', () => {
  const series = new LoadSeries();
  const day = 24 * 60 * 60 * 1_000;
  for (let at = 0; at < day; at += 500) series.addAnswer(at, 5);
  const intervals = series.intervals(day);
  expect(intervals.length).toBeLessThanOrEqual(300);
  expect(intervals.reduce((sum, { answers }) => sum + answers, 0)).toBe(day / 500);
  // A late answer of an early session is counted where it came.
  series.addAnswer(0, 5);
  expect(series.intervals(day)[0]!.answers).toBe(intervals[0]!.answers + 1);
});

it('adds counts over time whose intervals are wider or narrower', () => {
  const whole = new LoadSeries({ intervalsMax: 4 });
  answered(1_000, whole);
  const [long, short] = [new LoadSeries({ intervalsMax: 4 }), new LoadSeries({ intervalsMax: 4 })];
  answered(1_000, long);
  answered(300, short);
  answered(300, whole);
  const reversed = new LoadSeries({ intervalsMax: 4 });
  reversed.add(short.cloneable());
  reversed.add(long.cloneable());
  long.add(short.cloneable());
  expect(long.intervals(10_000)).toEqual(whole.intervals(10_000));
  expect(reversed.intervals(10_000)).toEqual(whole.intervals(10_000));
});
