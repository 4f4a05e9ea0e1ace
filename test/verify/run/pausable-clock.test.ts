import { beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { PausableClock } from '../../../src/verify/run/pausable-clock.ts';

let real: ManualClock;
let clock: PausableClock;
let rung: string[];
beforeEach(() => {
  real = new ManualClock();
  clock = new PausableClock(real);
  rung = [];
});
const ring = (name: string) => () => void rung.push(name);

it('goes as the other clock does, as long as it is not paused', () => {
  clock.after(10, ring('a'));
  const cancel = clock.after(10, ring('b'));
  cancel();
  real.advance(9);
  expect([clock.now(), rung]).toEqual([9, []]);
  real.advance(1);
  expect(rung).toEqual(['a']);
  clock.endOfTurn(ring('end'));
  real.endTurn();
  expect(rung).toEqual(['a', 'end']);
  expect(clock.date()).toEqual(real.date());
});

it('stands still in a pause, and goes on with what was left', () => {
  clock.after(10, ring('a'));
  real.advance(4);
  clock.pause();
  clock.pause();
  real.advance(1_000);
  clock.after(3, ring('b'));
  expect([clock.now(), rung]).toEqual([4, []]);
  clock.resume();
  clock.resume();
  real.advance(3);
  expect([clock.now(), rung]).toEqual([7, ['b']]);
  real.advance(3);
  expect(rung).toEqual(['b', 'a']);
});

it('runs nothing that was cancelled in a pause', () => {
  const cancel = clock.after(10, ring('a'));
  clock.pause();
  cancel();
  clock.resume();
  real.advance(20);
  expect(rung).toEqual([]);
});
