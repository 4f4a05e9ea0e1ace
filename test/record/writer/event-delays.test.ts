import { describe, expect, it } from 'vitest';
import { type DelayPrecision, EventDelays } from '../../../src/record/writer/event-delays.ts';

const written = (gap: DelayPrecision, ...instants: number[]) => {
  const gaps = new EventDelays(gap);
  return instants.map((at) => gaps.next(at));
};

describe('the gaps of a cassette', () => {
  it('are left out under 10 ms, and coarser the longer they are', () => {
    expect(written('coarse', 0, 9, 19, 173, 1_233, 61_833)).toEqual([undefined, undefined, 20, 200, 1_000, 61_000]);
  });

  it('add up to the time that passed: what rounding leaves over carries', () => {
    const instants = Array.from({ length: 1_000 }, (_, n) => n * 7.3);
    const sum = written('coarse', ...instants).reduce<number>((total, gap) => total + (gap ?? 0), 0);
    expect(Math.abs(sum - instants.at(-1)!)).toBeLessThan(10);
  });

  it('of an answer stay as long as it took, after a pause of any length', () => {
    const pauses = [10_400, 1_450, 1_300, 120_480, 730];
    const took = [47, 55, 23, 60, 90];
    let at = 0;
    const instants = pauses.flatMap((pause, n) => {
      const asked = at + pause;
      at = asked + took[n]!;
      return [asked, at];
    });
    const answers = written('coarse', 0, ...instants).filter((_, n) => n > 0 && n % 2 === 0);
    for (const [n, answer] of answers.entries()) expect(Math.abs(answer! - took[n]!)).toBeLessThan(10);
  });

  it('add up also after pauses of different lengths', () => {
    const instants = Array.from({ length: 1_000 }, (_, n) => n).map((n) => n * 5_003.3 + (n % 7) * 1_411);
    const sorted = instants.toSorted((a, b) => a - b);
    const sum = written('coarse', ...sorted).reduce<number>((total, gap) => total + (gap ?? 0), 0);
    expect(Math.abs(sum - sorted.at(-1)!)).toBeLessThan(600);
  });

  it('are never negative: what seems to come before what was written comes with it', () => {
    expect(written('exact', 100, 40, 90, 103)).toEqual([undefined, undefined, undefined, 3]);
    expect(written('coarse', 100_000, 40, 100_400)).toEqual([undefined, undefined, 400]);
  });

  it('are kept to the microsecond where asked', () => {
    expect(written('exact', 5, 5.12345, 6)).toEqual([undefined, 0.123, 0.877]);
  });

  it('are none where asked', () => {
    expect(written('none', 0, 5_000)).toEqual([undefined, undefined]);
  });
});
