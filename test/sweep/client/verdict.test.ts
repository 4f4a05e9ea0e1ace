import { expect, it } from 'vitest';
import { type Ran, reasonOf, verdictOf } from '../../../src/sweep/client/verdict.ts';

const LOST = { loses: { asked: {}, answered: {} } };
const NOTHING = {};
const ended = { status: 0, signal: undefined, stderr: '', timedOut: false, left: undefined };
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
  ['it left a process', { left: [] }, NOTHING, 'leaked'],
  ['it did not get so far', { fired: false }, LOST, 'unreached'],
  ['it failed before', { fired: false, status: 1 }, LOST, 'unreached'],
  ['it hung before', { fired: false, timedOut: true, status: undefined }, LOST, 'unreached'],
  ['it threw before', { fired: false, status: 1, stderr: 'Error: x\n\nNode.js v20.20.2\n' }, LOST, 'unreached'],
  ['it left a process before', { fired: false, left: [] }, NOTHING, 'unreached'],
])('%s', (_, how, where, verdict) => {
  expect(verdictOf({ ...ran, ...how }, where)).toBe(verdict);
});

it('a run whose fault did not happen has a reason', () => {
  expect(reasonOf({ ...ran, fired: true }, 'passed', 4_000)).toBeUndefined();
  expect(reasonOf({ ...ran, fired: false, status: 1 }, 'unreached', 4_000)).toMatch(
    /^it ended with 1 before the fault/,
  );
  const reasonBefore = (how: Partial<Ran>) => reasonOf({ ...ran, fired: false, ...how }, 'unreached', 4_000.75);
  expect(reasonBefore({ timedOut: true })).toMatch(/^it had not ended after 4001 ms, and the fault had not happened/);
  expect(reasonBefore({ signal: 'SIGSEGV' })).toMatch(/^it crashed with SIGSEGV before the fault happened\./);
  expect(reasonBefore({ left: ['process 7 (node x)'] })).toMatch(
    /^it ended with 0 before the fault happened, and it left process 7 \(node x\)\./,
  );
  expect(reasonOf({ ...ran, fired: true }, 'hung', 4_723.912)).toMatch(/not ended after 4724 ms.*--deadline/);
});

it('a leak names the process that was left', () => {
  const left = { left: ['process 7 (node x)', 'process 8 (node y)'] };
  expect(reasonOf({ ...ran, ...left }, 'leaked', 4_000)).toBe('it left process 7 (node x) and 1 more');
  expect(reasonOf({ ...ran, left: [] }, 'leaked', 4_000)).toBe('it left processes');
});
