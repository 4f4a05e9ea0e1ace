import { expect, it } from 'vitest';
import { type Lane, Lanes } from '../../../src/replay/plan/sequence.ts';

it('lanes are found by the move that opens them, and the first are those of the start', () => {
  const lanes = new Lanes(3);
  const lane = (move: number, opens?: number): Lane => ({
    opens,
    parts: [{ move, needs: [], ambient: false, guess: false, why: '' }],
  });
  const [start, first, second, last] = [lane(0), lane(1, 0), lane(2, 0), lane(3, 2)];
  for (const one of [last, first, start, second]) lanes.add(one);
  expect([undefined, 0, 1, 2].map((opens) => lanes.get(opens))).toEqual([
    [start],
    [first, second],
    undefined,
    [last],
  ]);
  expect([...lanes]).toEqual([start, first, second, last]);
});
