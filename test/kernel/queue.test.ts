import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Queue } from '../../src/kernel/queue.ts';

it('does what a list does', () => {
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

it('holds nothing that was taken out long ago', () => {
  const queue = new Queue<object>();
  const waits = () => Object.values(queue).length;
  for (let n = 0; n < 10_000; n++) {
    queue.add({});
    queue.take();
  }
  expect([queue.size, queue.first, queue.last, waits()]).toEqual([0, undefined, undefined, 0]);
});
