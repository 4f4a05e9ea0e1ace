import { expect, it } from 'vitest';
import type { Point } from '../../src/sweep/points.ts';
import { type Ran, verdictOf } from '../../src/sweep/verdict.ts';

const point: Point = { name: 'cut@1', fault: 'cut', message: 1, line: 1, title: '', losesAnswer: true };
const ran: Ran = { status: 0, signal: undefined, stderr: '', timedOut: false, left: false, fired: true };

it.each<[string, Partial<Ran>, Partial<Point>, string]>([
  ['it ends well, and nothing was lost', {}, { losesAnswer: false }, 'passed'],
  ['it ends well, and an answer was lost', {}, {}, 'lied'],
  ['it says that it failed', { status: 1, stderr: 'no answer' }, {}, 'failed'],
  ['its time was up', { timedOut: true, signal: 'SIGKILL', status: undefined }, {}, 'hung'],
  ['a signal ended it', { signal: 'SIGSEGV', status: undefined }, {}, 'crashed'],
  ['a shell says that a signal ended it', { status: 139 }, {}, 'crashed'],
  [
    'nobody caught its error',
    { status: 1, stderr: 'Error: x\n    at y\n\nNode.js v20.20.2\n' },
    {},
    'crashed',
  ],
  [
    'nobody caught its exception',
    { status: 1, stderr: 'Traceback (most recent call last):\n' },
    {},
    'crashed',
  ],
  ['it left a process', { left: true }, { losesAnswer: false }, 'leaked'],
  ['it did not get so far', { fired: false }, {}, 'unreached'],
  ['it failed before', { fired: false, status: 1 }, {}, 'failed'],
])('%s', (_, how, where, verdict) => {
  expect(verdictOf({ ...ran, ...how }, { ...point, ...where })).toBe(verdict);
});
