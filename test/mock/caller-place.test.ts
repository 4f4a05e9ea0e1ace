import { join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { callerPlace } from '../../src/mock/caller-place.ts';

const own = join(import.meta.dirname, '..', '..', 'src', 'mock', 'handler.ts');
const placeIn = (...frames: string[]) =>
  callerPlace(['Error', `    at tool (${own}:177:12)`, ...frames.map((frame) => `    at ${frame}`)].join('\n'));

it('the place of a call is that of the first frame outside of the package', () => {
  expect(placeIn('/p/a.test.ts:3:4')).toBe(normalize('/p/a.test.ts:3'));
  const spaced = placeIn('async Object.<anonymous> (/p/a b.test.ts:3:4)', '/p/other.ts:1:1');
  expect(spaced).toBe(normalize('/p/a b.test.ts:3'));
  expect(placeIn('Array.map (<anonymous>)', `${pathToFileURL(own)}:9:9`, '/p/a.ts:3:4')).toBe(normalize('/p/a.ts:3'));
  expect(placeIn('new Promise (<anonymous>)', 'node:internal/process/task_queues:95:5')).toBe('');
  expect(callerPlace(undefined)).toMatch(/caller-place\.test\.ts:\d+$/);
});

it.each(['C:\\p\\a.test.ts', 'c:/p/a.test.ts', '\\\\host\\p\\a.test.ts'])(
  'a path of Windows is a place: %s',
  (path) => {
    expect(placeIn(`${path}:3:4`)).toBe(normalize(`${path}:3`));
    expect(placeIn(`Object.<anonymous> (${path}:3:4)`)).toBe(normalize(`${path}:3`));
  },
);

it('a URL is a place, by its path', () => {
  const path = join(import.meta.dirname, 'a b.test.ts');
  expect(placeIn(`${pathToFileURL(path)}:3:4`)).toBe(`${path}:3`);
});
