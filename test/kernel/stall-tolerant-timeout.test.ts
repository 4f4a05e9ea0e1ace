import { expect, it } from 'vitest';
import type { Milliseconds } from '../../src/kernel/clock.ts';
import { stallTolerantTimeout } from '../../src/kernel/stall-tolerant-timeout.ts';

/** A clock whose next timer rings at `at`, as late as that may be. */
function clockThatRings() {
  let now: Milliseconds = 0;
  let task = () => {};
  return {
    now: () => now,
    after(_: Milliseconds, next: () => void) {
      task = next;
      return () => {
        task = () => {};
      };
    },
    ringAt(at: Milliseconds) {
      now = at;
      task();
    },
  };
}

it('ends at its limit, or a little later', () => {
  const clock = clockThatRings();
  let ended = 0;
  stallTolerantTimeout(clock, 300, () => ended++);
  clock.ringAt(370);
  expect(ended).toBe(1);
});

it('begins anew where the process was kept from running, three times at most', () => {
  const clock = clockThatRings();
  let ended = 0;
  stallTolerantTimeout(clock, 300, () => ended++);
  for (const at of [1_000, 2_000, 3_000]) clock.ringAt(at);
  expect(ended).toBe(0);
  clock.ringAt(4_000);
  expect(ended).toBe(1);
});

it('is cancelled, also when it has begun anew', () => {
  const clock = clockThatRings();
  let ended = 0;
  const cancel = stallTolerantTimeout(clock, 300, () => ended++);
  clock.ringAt(1_000);
  cancel();
  clock.ringAt(1_300);
  expect(ended).toBe(0);
});
