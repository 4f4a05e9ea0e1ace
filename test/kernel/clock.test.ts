import { expect, it, vi } from 'vitest';
import { asMicrotask, changingClock, systemClock, whileAlive } from '../../src/kernel/clock.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';

it('never goes backwards', () => {
  const first = systemClock.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(first);
});

it('rings once, not before the delay, and later than what was due before', async () => {
  const rung: string[] = [];
  const begun = systemClock.now();
  // Whoever is kept from running between two of these has set the later one later: so they are set in the order they are due.
  await new Promise<void>((resolve) => {
    systemClock.after(1, () => rung.push('first'));
    systemClock.after(5, () => rung.push('second'));
    systemClock.after(10, resolve);
  });
  expect(rung).toEqual(['first', 'second']);
  // Timers count whole milliseconds.
  expect(systemClock.now() - begun).toBeGreaterThan(9);
});

it('does not ring when cancelled', async () => {
  const rung: string[] = [];
  const cancel = systemClock.after(1, () => rung.push('cancelled'));
  cancel();
  cancel();
  await new Promise<void>((resolve) => void systemClock.after(2, resolve));
  expect(rung).toEqual([]);
});

it('does not ring at once for what is due in a month', async () => {
  const rung: string[] = [];
  const cancel = systemClock.after(2 ** 31 + 1, () => rung.push('in a month'));
  await new Promise<void>((resolve) => void systemClock.after(5, resolve));
  cancel();
  expect(rung).toEqual([]);
});

it('measures time that no correction of the calendar moves', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const before = systemClock.now();
  for (const moved of [-86_400_000, 86_400_000]) {
    vi.setSystemTime(Date.now() + moved);
    const passed = systemClock.now() - before;
    expect([passed >= 0, passed < 3_600_000]).toEqual([true, true]);
  }
  vi.useRealTimers();
});

it('runs microtasks while those of a test are fake', async () => {
  vi.useFakeTimers({ toFake: ['queueMicrotask'] });
  const done: string[] = [];
  asMicrotask(() => done.push('microtask'));
  done.push('now');
  await Promise.resolve();
  expect(done).toEqual(['now', 'microtask']);
  vi.useRealTimers();
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

it('goes on for as long as the process lives, until it is stopped', async () => {
  let rung = 0;
  await new Promise<void>((resolve) => {
    const stop = whileAlive(1, () => {
      rung++;
      if (rung < 3) return;
      stop();
      resolve();
    });
  });
  await new Promise<void>((resolve) => void systemClock.after(5, resolve));
  expect(rung).toBe(3);
});

it('changes to another clock at once', () => {
  const [first, second] = [new ManualClock(), new ManualClock()];
  first.advance(7);
  let current = first;
  const clock = changingClock(() => current);
  expect([clock.now(), clock.date().getTime()]).toEqual([7, 7]);
  current = second;
  const rung: string[] = [];
  clock.after(5, () => rung.push('after'));
  clock.endOfTurn(() => rung.push('end'));
  first.advance(9);
  expect([clock.now(), ...rung]).toEqual([0]);
  second.advance(5);
  expect(rung).toEqual(['end', 'after']);
});
