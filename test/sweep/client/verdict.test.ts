import { expect, it } from 'vitest';
import { type Ran, reasonOf, verdictOf } from '../../../src/sweep/client/verdict.ts';

const LOST = { loses: { asked: {}, answered: {} } };
const NOTHING = {};
const ended = { status: 0, signal: undefined, stderr: '', timedOut: false, left: false };
const ran: Ran = { ...ended, fired: true, cameAfterAll: false };

it.each<[string, Partial<Ran>, object, string]>([
  ['it ends well, and nothing was lost', {}, NOTHING, 'passed'],
  ['it ends well, and an answer was lost', {}, LOST, 'lied'],
  ['it ends well, and an answer was lost that it got after all', { cameAfterAll: true }, LOST, 'passed'],
  ['it says that it failed', { status: 1, stderr: 'no answer' }, LOST, 'reported'],
  ['its time was up', { timedOut: true, signal: 'SIGKILL', status: undefined }, LOST, 'hung'],
  ['a signal ended it', { signal: 'SIGSEGV', status: undefined }, LOST, 'crashed'],
  ['a shell says that a signal ended it', { status: 139 }, LOST, 'crashed'],
  ['nobody caught its error', { status: 1, stderr: 'Error: x\n    at y\n\nNode.js v20.20.2\n' }, LOST, 'crashed'],
  ['nobody caught its exception', { status: 1, stderr: 'Traceback (most recent call last):\n' }, LOST, 'crashed'],
  ['it left a process', { left: true }, NOTHING, 'leaked'],
  ['it did not get so far', { fired: false }, LOST, 'unreached'],
  ['it failed before', { fired: false, status: 1 }, LOST, 'unreached'],
  ['it hung before', { fired: false, timedOut: true, status: undefined }, LOST, 'hung'],
])('%s', (_, how, where, verdict) => {
  expect(verdictOf({ ...ran, ...how }, where)).toBe(verdict);
});

it('a run whose fault did not happen has a reason', () => {
  expect(reasonOf({ ...ran, fired: true }, 'passed', 4_000)).toBeUndefined();
  expect(reasonOf({ ...ran, fired: false, status: 1 }, 'unreached', 4_000)).toMatch(
    /^it ended with 1 before the fault/,
  );
  expect(reasonOf({ ...ran, fired: false }, 'hung', 4_000)).toBe('the fault had not happened yet');
  expect(reasonOf({ ...ran, fired: true }, 'hung', 4_000)).toMatch(/not ended after 4000 ms.*--deadline/);
});
