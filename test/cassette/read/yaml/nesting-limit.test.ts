import { describe, expect, it, vi } from 'vitest';
import { Parser } from 'yaml';
import { syntaxWithin } from '../../../../src/cassette/read/yaml/nesting-limit.ts';

const isTextDeeper = (text: string, limit: number) => syntaxWithin(text, limit) === undefined;

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
      const read = vi.spyOn(Parser.prototype, 'next');
      expect(isTextDeeper(unit.repeat(10_000), 10)).toBe(true);
      expect(read.mock.calls.length).toBeLessThan(100);
      read.mockRestore();
    },
  );
});
