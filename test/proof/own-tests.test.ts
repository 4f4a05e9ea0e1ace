import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALSO, ELSEWHERE, isOwnTest } from '../support/own/own-tests.ts';

const root = join(import.meta.dirname, '..', '..');

it('a source is covered by the tests of its room, and by those that are named for it', () => {
  expect(isOwnTest('test/match/closest-requests.test.ts', 'src/match/closest-requests.ts')).toBe(true);
  expect(isOwnTest('test/match/ignore-rules.test.ts', 'src/match/closest-requests.ts')).toBe(true);
  expect(isOwnTest('test/replay/match/near-miss.test.ts', 'src/match/closest-requests.ts')).toBe(false);
  expect(isOwnTest('test/scenario/faulty.test.ts', 'src/faults/connections/cut.ts')).toBe(true);
  expect(isOwnTest('test/scenario/faulty.test.ts', 'src/match/closest-requests.ts')).toBe(false);
});

it('what is left out of the measure is there, and so are the tests that run it', () => {
  const named = [ALSO, ELSEWHERE].flatMap((places) => Object.entries(places).flat(2));
  const missing = named.filter((path) => !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});
