import { describe, expect, it } from 'vitest';
import { widthOf, wrapWords } from '../../../src/cli/terminal/word-wrap.ts';

const RED = '\u001b[31m';
const END = '\u001b[39m';

describe('wrapWords', () => {
  it('breaks between words, and indents what follows', () => {
    expect(wrapWords('one two three four', 10)).toBe('one two\n  three\n  four');
    expect(wrapWords('  one two three', 10)).toBe('  one two\n    three');
  });

  it('leaves what fits, and blanks inside it', () => {
    const text = '✓ add  line 7  3 ms\n\n  one';
    expect(wrapWords(text, 20)).toBe(text);
    expect(wrapWords('x'.repeat(200), Number.POSITIVE_INFINITY)).toHaveLength(200);
  });

  it('keeps a word whole that is longer than a line', () => {
    expect(wrapWords('see https://example.com/mcp now', 12)).toBe('see\n  https://example.com/mcp\n  now');
  });

  it('does not count colours, and counts what takes two columns', () => {
    expect(wrapWords(`${RED}one two${END} 3`, 9)).toBe(`${RED}one two${END} 3`);
    expect(wrapWords('一二三 四五六', 10)).toBe('一二三\n  四五六');
  });

  it('keeps a number with its unit', () => {
    expect(wrapWords('1 passed in 0.3 s', 15)).toBe('1 passed in\n  0.3 s');
    expect(wrapWords('took (1,200 ms)', 12)).toBe('took\n  (1,200 ms)');
  });

  it('keeps a line that another one points into', () => {
    const excerpt = '    - client: { a b c d e }\n                ^';
    expect(wrapWords(excerpt, 12)).toBe(excerpt);
  });
});

describe('widthOf', () => {
  it('is that of the terminal, or else COLUMNS, or else endless', () => {
    expect(widthOf({ isTTY: true, columns: 120 }, { COLUMNS: '80' })).toBe(120);
    expect(widthOf({}, { COLUMNS: '80' })).toBe(80);
    expect(widthOf({}, {})).toBe(Number.POSITIVE_INFINITY);
    expect(widthOf({ isTTY: true, columns: 0 }, {})).toBe(Number.POSITIVE_INFINITY);
  });
});
