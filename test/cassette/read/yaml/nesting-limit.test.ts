import { describe, expect, it } from 'vitest';
import { Parser } from 'yaml';
import { exceedsNestingLimit } from '../../../../src/cassette/read/yaml/nesting-limit.ts';

const isTextDeeper = (text: string, limit: number) =>
  [...new Parser().parse(text)].some((token) => exceedsNestingLimit(token, limit));

describe('the depth of a syntax tree', () => {
  it.each([
    ['a', 0],
    ['a: 1', 1],
    ['- - 1', 2],
    ['a:\n  b:\n    - c', 3],
    ['a: [{b: []}]', 4],
    ['? [a]\n: 1', 2],
  ])('of %j is %i', (text, depth) => {
    expect(isTextDeeper(text, depth)).toBe(false);
    if (depth > 0) expect(isTextDeeper(text, depth - 1)).toBe(true);
  });

  it('is found without running out of stack', () => {
    expect(isTextDeeper('['.repeat(100_000), 1000)).toBe(true);
  });
});
