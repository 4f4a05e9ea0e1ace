import { describe, expect, it } from 'vitest';
import { minimizeList } from '../../../src/sweep/shrink/minimize-list.ts';

/** Minimizes the numbers below 40, and counts the questions. */
async function minimized(
  holds: (kept: readonly number[]) => boolean,
): Promise<{ kept: readonly number[]; asked: number }> {
  let asked = 0;
  const kept = await minimizeList(
    Array.from({ length: 40 }, (_, index) => index),
    async (some) => {
      asked++;
      return holds(some);
    },
  );
  return { kept, asked };
}

describe('the smallest part of a list', () => {
  it('is empty, with one question, if nothing is needed', async () => {
    expect(await minimized(() => true)).toEqual({ kept: [], asked: 1 });
  });

  it('has what is needed together, in its order', async () => {
    const { kept, asked } = await minimized((some) => [3, 17, 39].every((one) => some.includes(one)));
    expect(kept).toEqual([3, 17, 39]);
    expect(asked).toBeLessThan(60);
  });

  it('has everything if all of it is needed', async () => {
    expect((await minimized((some) => some.length === 40)).kept).toHaveLength(40);
  });

  it('is without an item that only a later one needs', async () => {
    // 5 may leave after 20 has left.
    const holds = (some: readonly number[]) => some.includes(2) && (some.includes(5) || !some.includes(20));
    expect((await minimized(holds)).kept).toEqual([2]);
  });

  it('of an empty list is the list', async () => {
    expect(await minimizeList([], async () => false)).toEqual([]);
  });
});
