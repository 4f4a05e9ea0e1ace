import { expect, it } from 'vitest';
import { IndexTable } from '../../../src/cassette/correlate/index-to-index-map.ts';

it('a table of positions has what was put into it, in order', () => {
  const table = new IndexTable(5);
  table.set(4, 0);
  table.set(1, 3);
  expect([...table]).toEqual([
    [1, 3],
    [4, 0],
  ]);
  expect([...table.keys()]).toEqual([1, 4]);
  expect([-1, 0, 1, 4, 5].map((at) => table.get(at))).toEqual([undefined, undefined, 3, 0, undefined]);
  expect([0, 4, 9].map((at) => table.has(at))).toEqual([false, true, false]);
});

it('a table grows when a later position is set, and keeps what it has', () => {
  const table = new IndexTable();
  table.set(0, 7);
  table.set(100, 1);
  expect([...table]).toEqual([
    [0, 7],
    [100, 1],
  ]);
  expect([1, 99, 101, 150].map((at) => table.get(at))).toEqual([undefined, undefined, undefined, undefined]);
});
