import { describe, expect, it } from 'vitest';
import { differenceText, paintDifference } from '../../src/text-report/difference-text.ts';

describe('differenceText', () => {
  it('draws what differs, with little around it', () => {
    const value = (n: number) => ({ before: Array.from({ length: 50 }, (_, index) => index), last: n });
    const lines = differenceText(value(1), value(2));
    expect(lines).toEqual([
      '--- recorded',
      '+++ live',
      '@@ -49,4 +49,4 @@',
      '    - 47',
      '    - 48',
      '    - 49',
      '- last: 1',
      '+ last: 2',
    ]);
  });

  it('draws YAML as cassettes have it, and knows what is not there', () => {
    const text = { content: [{ type: 'text', text: 'one\ntwo' }] };
    expect(differenceText(text, { content: [{ type: 'text', text: 'one\nthree' }] }).slice(2)).toEqual([
      '@@ -2,4 +2,4 @@',
      '    - type: text',
      '      text: |-',
      '        one',
      '-       two',
      '+       three',
    ]);
    expect(differenceText(undefined, { a: [] }).slice(2)).toEqual(['+ a: []']);
    expect(differenceText({}, []).slice(2)).toEqual(['- {}', '+ []']);
    expect(differenceText('one\ntwo', 'one').slice(2)).toEqual(['  one', '- two']);
  });

  it('does not mind the order of keys', () => {
    expect(differenceText({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 2 }, a: 1 }).slice(2)).toEqual([
      '  a: 1',
      '  b:',
      '-   c: 1',
      '+   c: 2',
      '    d: 2',
    ]);
  });

  it('has the colours of git: red for what is gone, green for what is new', () => {
    const paint = {
      good: (line: string) => `green ${line}`,
      bad: (line: string) => `red ${line}`,
      bold: (line: string) => `bold ${line}`,
      hunk: (line: string) => `cyan ${line}`,
    };
    const lines = ['--- recorded', '+++ live', '@@ -1,2 +1,2 @@', '  - same', '- - one', '+ - two'];
    expect(lines.map((line) => paintDifference(line, paint))).toEqual([
      'bold --- recorded',
      'bold +++ live',
      'cyan @@ -1,2 +1,2 @@',
      '  - same',
      'red - - one',
      'green + - two',
    ]);
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
    expect(lines).toHaveLength(203);
    expect(lines.at(-1)).toMatch(/^… and \d+ more lines$/);
    const wide = differenceText({ a: 'x'.repeat(10_000) }, { a: 'y' });
    expect(Math.max(...wide.map(({ length }) => length))).toBeLessThanOrEqual(300);
  });
});

it('draws a line of blanks in no time, and compares lines to their end', () => {
  const long = ' '.repeat(200_000);
  const lines = differenceText({ a: `${long}x` }, { a: `${long}y` });
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('+ '))).toHaveLength(1);
});
