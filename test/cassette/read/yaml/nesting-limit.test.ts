import { describe, expect, it, vi } from 'vitest';
import { Parser } from 'yaml';
import { syntaxWithin } from '../../../../src/cassette/read/yaml/nesting-limit.ts';

const isTextDeeper = (text: string, limit: number) => syntaxWithin(text, limit) === 'too deep';

/** How much of a text is read before it is refused. */
function readOf(text: string) {
  const read = vi.spyOn(Parser.prototype, 'next');
  const result = syntaxWithin(text, 10);
  const { length } = read.mock.calls;
  read.mockRestore();
  return { result, read: length };
}

describe('the depth of a syntax tree', () => {
  it.each([
    ['a', 0],
    ['a: 1', 1],
    ['- - 1', 2],
    ['a:\n  b:\n    - c', 3],
    ['a: [{b: []}]', 4],
    ['? [a]\n: 1', 2],
    ['[[a]]: 1', 3],
    ['- a: "b"\n  c: |\n    d', 2],
  ])('of %j is %i', (text, depth) => {
    expect(isTextDeeper(text, depth)).toBe(false);
    if (depth > 0) expect(isTextDeeper(text, depth - 1)).toBe(true);
  });

  it('is found without running out of stack', () => {
    expect(isTextDeeper('['.repeat(100_000), 1000)).toBe(true);
  });

  it.each(['[', '{', '- ', '? ', '{a: '])(
    'is found in %j again and again before the rest of the text is read',
    (unit) => {
      const { result, read } = readOf(unit.repeat(10_000));
      expect(result).toBe('too deep');
      expect(read).toBeLessThan(100);
    },
  );
});

it.each([']', '}', '[]', 'a: ]'])('a text of %j again and again is read up to its first error', (unit) => {
  const { result, read } = readOf(unit.repeat(10_000));
  expect(result).toContainEqual(expect.objectContaining({ type: 'error' }));
  expect(read).toBeLessThan(100);
});

it('a text that would take gigabytes as a tree is refused', () => {
  expect(syntaxWithin('-\n'.repeat(3_100_000), 10)).toBe('too many parts');
}, 60_000);
