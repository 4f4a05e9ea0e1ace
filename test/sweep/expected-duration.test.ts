import { expect, it } from 'vitest';
import {
  expectedRunsText,
  expectedSessionsText,
  longestRuns,
  pointsText,
  roundedUpTime,
  timeOfRuns,
} from '../../src/sweep/expected-duration.ts';

const room = { busy: 2, all: 8 };

it('counts each fault and each message of the points once', () => {
  const points = ['cut@1', 'cut@2', 'drop@2'].map((name) => {
    const [fault = '', message] = name.split('@');
    return { name, fault, message: Number(message), line: 1, title: 'answer to ping' };
  });
  expect(pointsText(points, 'fault')).toBe('3 points: 2 faults at 2 messages');
  expect(pointsText(points.slice(0, 1), 'misbehaviour')).toBe('1 point: 1 misbehaviour at 1 message');
});

it('adds the runs that follow each other', () => {
  expect([1, 2, 3, 4, 5].map((count) => timeOfRuns(count, 100, room))).toEqual([100, 100, 200, 200, 300]);
});

it('gives each run its deadline, and the time after it, at most', () => {
  const runs = { count: 9, deadline: 2_000, afterEnd: 4_000, room };
  expect(longestRuns(runs)).toBe(5 * 6_000);
  expect(longestRuns({ ...runs, later: 3 })).toBe(5 * 6_000 + 2 * 6_000);
});

it('rounds up, so that a limit is never too short', () => {
  const times = [0, 1, 1_000, 1_001, 90_000, 90_001, 120_001, 90 * 60_000, 90 * 60_000 + 1];
  expect(times.map(roundedUpTime)).toEqual(['1 s', '1 s', '1 s', '2 s', '90 s', '2 min', '3 min', '90 min', '2 h']);
});

it('says what follows from the first run', () => {
  expect(expectedRunsText({ count: 9, first: 85.4, deadline: 2_000, afterEnd: 4_000, room })).toBe(
    'The first run took 85 ms, and each other may take 2000 ms: about 1 s in all, and 30 s at most.',
  );
  expect(expectedSessionsText({ session: 412.6, deadline: 2_000, usual: 61_000 })).toMatch(
    /^A session as recorded took 413 ms, and each answer may take 2000 ms: about 61 s in all\./,
  );
});
