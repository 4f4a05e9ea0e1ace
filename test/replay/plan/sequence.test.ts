import { expect, it } from 'vitest';
import { type Sequence, SequenceTable } from '../../../src/replay/plan/sequence.ts';

it('lanes are found by the move that opens them, and the first are those of the start', () => {
  const sequences = new SequenceTable(3);
  const sequence = (entry: number, opens?: number): Sequence => ({
    opens,
    parts: [{ entry, needs: [], ambient: false, guess: false, why: '' }],
  });
  const [start, first, second, last] = [sequence(0), sequence(1, 0), sequence(2, 0), sequence(3, 2)];
  for (const one of [last, first, start, second]) sequences.add(one);
  expect([undefined, 0, 1, 2].map((opens) => sequences.get(opens))).toEqual([
    [start],
    [first, second],
    undefined,
    [last],
  ]);
  expect([...sequences]).toEqual([start, first, second, last]);
});
