import { expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';

it('never goes backwards', () => {
  const first = systemClock.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(first);
});

it('rings once after the delay, and later than what was due before', async () => {
  const rung: string[] = [];
  await new Promise<void>((resolve) => {
    systemClock.after(2, () => rung.push('second'));
    systemClock.after(1, () => rung.push('first'));
    systemClock.after(3, resolve);
  });
  expect(rung).toEqual(['first', 'second']);
});

it('does not ring when cancelled', async () => {
  const rung: string[] = [];
  const cancel = systemClock.after(1, () => rung.push('cancelled'));
  cancel();
  cancel();
  await new Promise<void>((resolve) => void systemClock.after(2, resolve));
  expect(rung).toEqual([]);
});

it('ends the turn after everything that the turn itself does', async () => {
  const done: string[] = [];
  await new Promise<void>((resolve) => {
    systemClock.endOfTurn(() => {
      done.push('end of turn');
      resolve();
    });
    queueMicrotask(() => done.push('microtask'));
    done.push('now');
  });
  expect(done).toEqual(['now', 'microtask', 'end of turn']);
});

it('knows the calendar', () => {
  expect(systemClock.date()).toBeInstanceOf(Date);
});
