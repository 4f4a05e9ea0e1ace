import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayOf, parseTiming } from '../../src/replay/timing.ts';

describe('a timing', () => {
  it.each([
    ['instant', 0],
    ['recorded', 80],
    ['0.5x', 40],
    ['3x', 240],
    ['0x', 0],
    ['50ms', 50],
    ['200ms', 80],
    ['0ms', 0],
    ['1.5ms', 1.5],
  ])('%s waits, where the cassette waited 80 ms, %d', (text, delay) => {
    expect(delayOf(parseTiming(text), 80)).toBe(delay);
  });

  it.each(['', 'fast', '2', '-1x', '1e3x', '.5x', '10s', '5 ms', 'x', 'RECORDED', 'NaNx'])('is not %j', (text) => {
    expect(() => parseTiming(text)).toThrow(expect.objectContaining({ code: 'USAGE_BAD_TIMING' }));
  });

  it('never waits longer than its cap, nor longer than the cassette', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (cap, gap) => {
        expect(delayOf({ cap }, gap)).toBe(Math.min(cap, gap));
      }),
    );
  });
});
