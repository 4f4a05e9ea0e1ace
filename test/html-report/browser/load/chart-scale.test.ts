import { describe, expect, it } from 'vitest';
import {
  axisTime,
  logPosition,
  powersAround,
  stepArea,
  stepLine,
  timeTicks,
  valueTicks,
} from '../../../../src/html-report/browser/load/chart-scale.ts';

describe('the ticks of values', () => {
  it.each([
    [0, [0, 0.5]],
    [0.7, [0, 0.2, 0.4, 0.6, 0.8]],
    [3, [0, 1, 2, 3]],
    [47, [0, 20, 40, 60]],
    [324, [0, 100, 200, 300, 400]],
    [12_000, [0, 5_000, 10_000, 15_000]],
  ])('up to %d are round, and reach it', (highest, ticks) => {
    expect(valueTicks(highest).map((tick) => Number(tick.toFixed(6)))).toEqual(ticks);
  });
});

describe('the ticks of time', () => {
  it.each([
    [350, ['0', '100 ms', '200 ms', '300 ms']],
    [10_100, ['0', '2 s', '4 s', '6 s', '8 s', '10 s']],
    [90_000, ['0', '15 s', '30 s', '45 s', '1 min', '1:15 min', '1:30 min']],
    [3 * 3_600_000 + 5, ['0', '30 min', '1 h', '1:30 h', '2 h', '2:30 h', '3 h']],
  ])('of %d ms are those of a clock', (duration, ticks) => {
    expect(timeTicks(duration).map(axisTime)).toEqual(ticks);
  });

  it('are few, however long a load was', () => {
    for (let duration = 1; duration < 1e10; duration *= 1.7) expect(timeTicks(duration).length).toBeLessThanOrEqual(7);
  });
});

describe('a line', () => {
  const interval = (at: number, answers: number) => ({ at, duration: 1_000, answers, failed: 0, sessions: 0 });
  const box = { width: 100, height: 50, duration: 4_000, highest: 10 };
  const figure = ({ answers }: { answers: number }) => (answers < 0 ? undefined : answers);

  it('is level in each interval, and has a gap where there is no figure', () => {
    const intervals = [interval(0, 10), interval(1_000, 5), interval(2_000, -1), interval(3_000, 0)];
    expect(stepLine(intervals, figure, box)).toBe('M0 0H25L25 25H50M75 50H100');
  });

  it('bounds an area for each interval that has some of it', () => {
    expect(stepArea([interval(0, 0), interval(1_000, 5)], figure, box)).toBe('M25 25H50V50H25Z');
  });

  it('leaves the chart nowhere', () => {
    expect(stepLine([interval(0, 99)], figure, box)).toBe('M0 0H25');
  });
});

describe('the axis of percentiles', () => {
  it('goes from a power of ten to another', () => {
    expect(powersAround([47, 174, 3])).toEqual({ from: 1, to: 1_000 });
    expect(powersAround([10])).toEqual({ from: 10, to: 100 });
    expect(powersAround([])).toEqual({ from: 1, to: 10 });
    expect(powersAround([0])).toEqual({ from: 1, to: 10 });
  });

  it('is logarithmic', () => {
    const positions = [1, 10, 100, 0, 5_000].map((time) => logPosition(time, { from: 1, to: 100 }));
    expect(positions.map(Math.round)).toEqual([0, 50, 100, 0, 100]);
  });
});
