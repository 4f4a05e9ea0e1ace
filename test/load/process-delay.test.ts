import { expect, it } from 'vitest';
import { blockFor } from '../../src/kernel/clock.ts';
import { measureProcessDelay } from '../../src/load/duration-histogram.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('is what a process that is blocked is late', async () => {
  const delay = measureProcessDelay();
  for (let n = 0; n < 10; n++) {
    await turn();
    blockFor(60);
  }
  await turn();
  expect(delay()).toBeGreaterThan(40);
});

it('is nothing where nothing was measured', () => {
  expect(measureProcessDelay()()).toBe(0);
});
