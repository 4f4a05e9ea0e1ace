import { expect, it } from 'vitest';
import { type Ran, reasonOf, verdictOf } from '../../../src/sweep/client/verdict.ts';

const ended = { status: 0, signal: undefined, stderr: '', timedOut: false, left: undefined };
const ran: Ran = { ...ended, fired: true, isAnswerLost: true };

const WARNING = 'Warning: Detected unsettled top-level await at file:///client.js:5';
const OF_SERVER =
  'mcp-record: 1 fault, seed 1\nmcp-record: 1 recorded request never came:\n    a.yaml:10 tools/call "save"\n';

it.each<[string, Partial<Ran>, string]>([
  ['it ends well, and no answer was lost', { isAnswerLost: false }, 'passed'],
  ['it ends well, and an answer was lost', {}, 'lied'],
  ['it says that it failed', { status: 1, stderr: 'no answer' }, 'reported'],
  ['its time was up', { timedOut: true, signal: 'SIGKILL', status: undefined }, 'hung'],
  ['a signal ended it', { signal: 'SIGSEGV', status: undefined }, 'crashed'],
  ['a shell says that a signal ended it', { status: 139 }, 'crashed'],
  ['nobody caught its error', { status: 1, stderr: 'Error: x\n    at y\n\nNode.js v20.20.2\n' }, 'crashed'],
  ['nobody caught its exception', { status: 1, stderr: 'Traceback (most recent call last):\n' }, 'crashed'],
  [
    'it logs an exception that it caught',
    { stderr: 'Traceback (most recent call last):\n', isAnswerLost: false },
    'passed',
  ],
  [
    'a worker of it panicked, and it went on',
    { stderr: "thread 'worker' panicked at a.rs:1:2:\n", isAnswerLost: false },
    'passed',
  ],
  ['Node ended it, since it waited for nothing any more', { status: 13 }, 'crashed'],
  ['Node of a later version says so', { status: 13, stderr: `${WARNING}\n` }, 'crashed'],
  ['Node ended it, and its server had said something', { status: 13, stderr: OF_SERVER }, 'crashed'],
  ['it says that it failed, with the same status', { status: 13, stderr: 'no answer' }, 'reported'],
  ['it says so beside its server', { status: 13, stderr: `${OF_SERVER}no answer\n` }, 'reported'],
  ['it left a process', { left: [] }, 'leaked'],
  ['it did not get so far', { fired: false }, 'unreached'],
  ['it failed before', { fired: false, status: 1 }, 'unreached'],
  ['it hung before', { fired: false, timedOut: true, status: undefined }, 'unreached'],
  ['it threw before', { fired: false, status: 1, stderr: 'Error: x\n\nNode.js v20.20.2\n' }, 'unreached'],
  ['it left a process before', { fired: false, left: [] }, 'unreached'],
])('%s', (_, how, verdict) => {
  expect(verdictOf({ ...ran, ...how })).toBe(verdict);
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

it.each<[Partial<Ran>, string]>([
  [
    { status: 1, stderr: 'TypeError: x\n    at f (file:///client.js:7:3)\n\nNode.js v20.20.2\n' },
    'nobody caught TypeError at file:///client.js:7',
  ],
  [{ signal: 'SIGSEGV', status: undefined }, 'it ended with SIGSEGV'],
  [{ status: 1, stderr: 'x\n\nNode.js v20.20.2\n' }, 'nobody caught its error'],
  [{ status: 200 }, 'it ended with 200: a status of 128 or more is that of a program that a signal ended'],
  [
    { status: 13 },
    'Node ended it with 13: it still waited for something, but nothing was left that could happen (unsettled top-level await)',
  ],
])('a crash %j has a reason', (how, why) => {
  expect(reasonOf({ ...ran, ...how }, 'crashed', 4_000)).toBe(why);
});

it('a leak names the process that was left', () => {
  const left = { left: ['process 7 (node x)', 'process 8 (node y)'] };
  expect(reasonOf({ ...ran, ...left }, 'leaked', 4_000)).toBe('it left process 7 (node x) and 1 more');
  expect(reasonOf({ ...ran, left: [] }, 'leaked', 4_000)).toBe('it left processes');
});
