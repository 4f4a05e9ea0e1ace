import fc from 'fast-check';
import { expect, it } from 'vitest';
import { minimalMoves } from '../../src/diff/minimal-moves.ts';
import type { Interaction } from '../../src/diff/session-interactions.ts';

const talk = (title: string, began: number, ended = began + 1): Interaction => ({ title, began, ended }) as Interaction;

/** Pairs of talks, one after the other in both sessions, by the places that the second session gives them. */
const pairs = (places: readonly number[]): [Interaction, Interaction][] =>
  places.map((place, index) => [talk(`${index}`, index * 2), talk(`${index}`, place * 2)]);

it('one order has nothing moved', () => {
  expect(minimalMoves(pairs([0, 1, 2, 3]))).toEqual([]);
});

it('what overlaps in either session has no order', () => {
  const a: [Interaction, Interaction][] = [
    [talk('x', 0, 3), talk('x', 2, 3)],
    [talk('y', 1, 2), talk('y', 0, 1)],
  ];
  expect(minimalMoves(a)).toEqual([]);
});

it('the fewest are moved', () => {
  const moved = minimalMoves(pairs([1, 2, 3, 0]));
  expect(moved.map(({ pair: [{ title }], now, other }) => [title, now, other.title])).toEqual([['3', 'before', '0']]);
});

it('whatever is left when the moved are taken out stands in one order', () => {
  const places = fc.integer({ min: 1, max: 8 }).chain((length) =>
    fc.shuffledSubarray(
      Array.from({ length }, (_, index) => index),
      { minLength: length },
    ),
  );
  fc.assert(
    fc.property(places, (order) => {
      const moved = new Set(minimalMoves(pairs(order)).map(({ pair: [{ title }] }) => Number(title)));
      const kept = order.filter((_, index) => !moved.has(index));
      expect(kept).toEqual([...kept].sort((one, other) => one - other));
    }),
  );
});
