import { expect, it } from 'vitest';
import { streamLanes } from '../../../src/html-report/data/lanes/assign-lanes.ts';

it('a span takes the lowest lane that is free', () => {
  expect(
    streamLanes([
      { first: 0, last: 5 },
      { first: 1, last: 2 },
      { first: 2, last: 3 },
      { first: 3, last: 9 },
      { first: 6, last: 7 },
    ]),
  ).toEqual([0, 1, 2, 1, 0]);
});

it('beyond twelve at once the last is shared, until all that share it have ended', () => {
  const crowd = Array.from({ length: 14 }, (_, first) => ({ first, last: 40 - first }));
  const lanes = streamLanes([...crowd, { first: 30, last: 31 }]);
  expect(lanes.slice(11, 14)).toEqual([11, 11, 11]);
  expect(lanes[14]).toBe(11);
});
