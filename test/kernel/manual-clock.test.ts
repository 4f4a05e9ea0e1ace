import { expect, it } from 'vitest';
import { ManualClock } from '../../src/kernel/manual-clock.ts';

it('stands still until told to move', () => {
  const clock = new ManualClock(new Date('2026-11-21T03:02:15Z'));
  expect(clock.now()).toBe(0);
  clock.advance(1500);
  expect(clock.now()).toBe(1500);
  expect(clock.date().toISOString()).toBe('2026-11-21T03:02:16.500Z');
});

it('rings alarms in order of time, each at its time', () => {
  const clock = new ManualClock();
  const rung: string[] = [];
  clock.after(30, () => rung.push(`late at ${clock.now()}`));
  clock.after(10, () => {
    rung.push(`early at ${clock.now()}`);
    clock.after(5, () => rung.push(`between at ${clock.now()}`));
  });
  clock.after(31, () => rung.push('too late'));
  clock.advance(30);
  expect(rung).toEqual(['early at 10', 'between at 15', 'late at 30']);
});

it('rings alarms of one instant in the order in which they were set', () => {
  const clock = new ManualClock();
  const rung: number[] = [];
  for (const n of [1, 2, 3]) clock.after(10, () => rung.push(n));
  clock.advance(10);
  expect(rung).toEqual([1, 2, 3]);
});

it('forgets a cancelled alarm, and a cancel too late is harmless', () => {
  const clock = new ManualClock();
  const rung: string[] = [];
  const cancel = clock.after(10, () => rung.push('cancelled'));
  const cancelLate = clock.after(5, () => rung.push('kept'));
  cancel();
  clock.advance(20);
  cancelLate();
  cancel();
  expect(rung).toEqual(['kept']);
});

it('ends the turn after each alarm, with what the end of the turn added', () => {
  const clock = new ManualClock();
  const done: string[] = [];
  clock.endOfTurn(() => {
    done.push('first turn');
    clock.endOfTurn(() => done.push('added'));
  });
  clock.after(10, () => {
    done.push('alarm');
    clock.endOfTurn(() => done.push('its turn'));
  });
  clock.after(10, () => done.push('next alarm'));
  clock.endTurn();
  expect(done).toEqual(['first turn', 'added']);
  clock.advance(10);
  expect(done.slice(2)).toEqual(['alarm', 'its turn', 'next alarm']);
});

it('ends the current turn before time passes', () => {
  const clock = new ManualClock();
  const done: number[] = [];
  clock.endOfTurn(() => done.push(clock.now()));
  clock.advance(10);
  expect(done).toEqual([0]);
});
