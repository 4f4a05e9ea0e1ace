import { expect, it } from 'vitest';
import { arrivedAnyway, hasFired, type Noted } from '../../../src/sweep/client/withheld-response-arrival.ts';

const [fault, asked, answered]: Noted[] = [{ rule: 1, id: 7 }, { rule: 2 }, { rule: 3, id: 8 }] as const;
const resumed: Noted = { rule: 3, id: 7 };

it.each<[string, Noted[], boolean]>([
  ['nothing', [], false],
  ['the client asked, and what it got was lost', [asked!, fault!], false],
  ['it asked again', [asked!, fault!, asked!], false],
  ['it asked again and got it', [asked!, fault!, asked!, answered!], true],
  ['another call was answered alike', [asked!, fault!, answered!], false],
  ['another call was answered alike, before it asked again', [asked!, fault!, answered!, asked!], false],
  ['an earlier call was answered alike', [asked!, answered!, asked!, fault!], false],
  ['it took its stream up and got it there', [asked!, fault!, resumed], true],
  ['there was no fault', [asked!, answered!, asked!, answered!], false],
])('an answer that was lost and came after all: %s', (_, journal, came) => {
  expect(arrivedAnyway(journal, { fault: 1, asked: 2, answered: 3 })).toBe(came);
});

const first: Noted = { rule: 2, id: 7 };

it.each<[string, Noted[], boolean]>([
  ['the client had asked before', [first, { rule: 1 }], false],
  ['the client had not asked yet', [{ rule: 1 }], true],
  ['it took its stream up and got it there', [first, { rule: 1 }, resumed], true],
  ['it had come before, in another order than recorded', [first, resumed, { rule: 1 }], true],
  ['another call was answered alike', [first, { rule: 1 }, answered!], false],
  ['it asked again and got it', [first, { rule: 1 }, { rule: 2, id: 8 }, answered!], true],
])('an answer that a fault at an earlier message took away: %s', (_, journal, came) => {
  expect(arrivedAnyway(journal, { fault: 1, asked: 2, answered: 3, isLater: true })).toBe(came);
});

const cancel: Noted = { rule: 4 };

it.each<[string, Noted[], boolean]>([
  ['the client waited for it', [asked!, fault!, resumed], true],
  ['the client cancelled its call before', [asked!, fault!, cancel, resumed], false],
  ['the client cancelled another call before the fault', [asked!, cancel, fault!, resumed], true],
  ['the client cancelled its call, asked again and got it', [asked!, fault!, cancel, asked!, answered!], true],
])('an answer that was only delayed: %s', (_, journal, came) => {
  expect(arrivedAnyway(journal, { fault: 1, asked: 2, answered: 3, cancelled: 4 })).toBe(came);
});

it('only the fault of a point is its fault', () => {
  expect([hasFired([asked!, answered!], 1), hasFired([asked!, fault!], 1)]).toEqual([false, true]);
});
