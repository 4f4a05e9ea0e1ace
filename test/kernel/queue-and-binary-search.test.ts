import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstWhere, Queue } from '../../src/kernel/queue-and-binary-search.ts';

it('a queue does what a list does', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(700)), (steps) => {
      const queue = new Queue<number>();
      const list: number[] = [];
      for (const [index, step] of steps.entries()) {
        for (let n = 0; n < step; n++) {
          if (index % 2 === 0) {
            queue.add(n);
            list.push(n);
          } else expect(queue.take()).toBe(list.shift());
        }
        expect([queue.size, queue.first, queue.last]).toEqual([list.length, list[0], list.at(-1)]);
      }
    }),
    { numRuns: 50 },
  );
});

it('a queue holds nothing that was taken out long ago', () => {
  const queue = new Queue<object>();
  const waits = () => Object.values(queue).length;
  for (let n = 0; n < 10_000; n++) {
    queue.add({});
    queue.take();
  }
  expect([queue.size, queue.first, queue.last, waits()]).toEqual([0, undefined, undefined, 0]);
});

it('the first position where a condition holds is the one that a walk over all finds', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(25), (values, least) => {
      const sorted = values.sort((a, b) => a - b);
      const walked = sorted.findIndex((value) => value >= least);
      const found = firstWhere(sorted.length, (position) => sorted[position]! >= least);
      expect(found).toBe(walked < 0 ? sorted.length : walked);
    }),
  );
});

it('few of many positions are looked at', () => {
  let looks = 0;
  firstWhere(1_000_000, (position) => ++looks > 0 && position >= 123_456);
  expect(looks).toBeLessThanOrEqual(20);
});
