import { describe, expect, it } from 'vitest';
import { differenceText } from '../../src/text-report/difference-text.ts';

describe('differenceText', () => {
  it('draws what differs, with little around it', () => {
    const value = (n: number) => ({ before: Array.from({ length: 50 }, (_, index) => index), n });
    const lines = differenceText(value(1), value(2));
    expect(lines.slice(0, 2)).toEqual(['- Recorded', '+ Live']);
    expect(lines.filter((line) => /^[-+] {3}/.test(line))).toEqual(['-   "n": 1,', '+   "n": 2,']);
    expect(lines.length).toBeLessThan(15);
  });

  it('lists the places where the values are too long to be drawn in time', () => {
    const list = (offset: number) => Array.from({ length: 20_000 }, (_, index) => index + offset);
    const lines = differenceText(list(0), list(1));
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe('/0 (0 → 1)');
    expect(lines.at(-1)).toBe('… and 19980 more places');
  });

  it('does the same for a text of many lines', () => {
    const text = (word: string) => ({ text: `${word}\n`.repeat(5_000) });
    expect(differenceText(text('a'), text('b'))).toHaveLength(1);
  });

  it('cuts what is long but may be drawn', () => {
    const many = (word: string) => Array.from({ length: 400 }, () => word);
    const lines = differenceText(many('a'), many('b'));
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toMatch(/^… and \d+ more lines$/);
    const wide = differenceText({ a: 'x'.repeat(10_000) }, { a: 'y' });
    expect(Math.max(...wide.map(({ length }) => length))).toBeLessThanOrEqual(300);
  });
});
