import { describe, expect, it } from 'vitest';
import { countBreaks, normalizeBreaks, placeOf } from '../../../src/cassette/read/source-text.ts';

describe('a place in a cassette', () => {
  const source = { file: 'a.yaml', text: 'one\ntwo\n\nfour', line: 10 };

  it.each([
    [0, { line: 10, column: 1, text: 'one' }],
    [3, { line: 10, column: 4, text: 'one' }],
    [4, { line: 11, column: 1, text: 'two' }],
    [8, { line: 12, column: 1, text: '' }],
    [13, { line: 13, column: 5, text: 'four' }],
  ])('is found for offset %i', (offset, place) => {
    expect(placeOf(source, offset)).toEqual({ file: 'a.yaml', ...place });
  });

  it('is found at the beginning of a text that begins with a line break', () => {
    expect(placeOf({ file: 'a.yaml', text: '\none', line: 1 }, 0)).toEqual({
      file: 'a.yaml',
      line: 1,
      column: 1,
      text: '',
    });
  });

  it('counts line breaks of a stretch', () => {
    expect(countBreaks(source.text, 0, 4)).toBe(1);
    expect(countBreaks(source.text, 4, 13)).toBe(2);
    expect(countBreaks(source.text, 3, 3)).toBe(0);
  });

  it('knows three kinds of line break', () => {
    expect(normalizeBreaks('a\r\nb\rc\nd\r\r\n')).toBe('a\nb\nc\nd\n\n');
  });
});
