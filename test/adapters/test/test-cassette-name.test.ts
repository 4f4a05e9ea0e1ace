import { sep } from 'node:path';
import { expect, it } from 'vitest';
import { cassetteName } from '../../../src/adapters/test/test-cassette-name.ts';

const name = (...names: string[]) => cassetteName({ file: '/p/test/a.test.ts', names }).replaceAll(sep, '/');

it('lies beside the test file, and is readable', () => {
  expect(name('the weather', 'in Zürich!')).toMatch(
    /^\/p\/test\/__cassettes__\/a\.test\.ts\/the-weather-in-zu-rich-[0-9a-f]{8}\.yaml$/,
  );
});

it('is another for another test, also where only case, order or odd letters differ', () => {
  const names = [
    name('a', 'b'),
    name('A', 'b'),
    name('a b'),
    name('b', 'a'),
    name('a', 'b!'),
    name('日本'),
    name('中国'),
  ];
  expect(new Set(names.map((path) => path.toLowerCase())).size).toBe(names.length);
});

it('is another for another session of a test', () => {
  const of = (session?: string | number) =>
    cassetteName({ file: '/p/a.test.ts', names: ['x'], ...(session !== undefined && { session }) });
  expect(new Set([of(), of(2), of('second')]).size).toBe(3);
  expect(of('second')).toContain('x-second-');
});

it('is never too long for a disk, nor leaves its folder', () => {
  expect(name('x'.repeat(5_000)).split('/').at(-1)!.length).toBeLessThan(100);
  expect(name('../../etc/passwd')).toMatch(/^\/p\/test\/__cassettes__\/a\.test\.ts\/etc-passwd-/);
  expect(name('')).toMatch(/test-[0-9a-f]{8}\.yaml$/);
});
