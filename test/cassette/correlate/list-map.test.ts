import { expect, it } from 'vitest';
import { ListMap } from '../../../src/cassette/correlate/list-map.ts';

it('a map of lists keeps the values of each key in order', () => {
  const lists = new ListMap<string, number>([['a', [1]]]);
  for (const [key, value] of [
    ['b', 2],
    ['a', 3],
  ] as const)
    lists.add(key, value);
  expect([...lists]).toEqual([
    ['a', [1, 3]],
    ['b', [2]],
  ]);
});
