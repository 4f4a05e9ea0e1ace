import { describe, expect, it } from 'vitest';
import { patternIgnore, pointerIgnore, VOLATILE_RULES, writtenIgnores } from '../../../src/load/k6/k6-ignore-rules.ts';

describe('a rule for what a script does not compare', () => {
  it('is a place in messages, for a pointer', () => {
    expect(pointerIgnore('/result/a~1b/0')).toEqual({ steps: ['result', 'a/b', '0'] });
    expect(VOLATILE_RULES).toContainEqual({ steps: ['result', 'nextCursor'], types: ['string'] });
  });

  it('is an expression with the lengths of its fixed text, which is compared', () => {
    const named = { source: 'at \\d+', flags: '' };
    expect(patternIgnore(named, '--ignore-pattern')).toEqual({ ...named, start: 3, end: 0 });
  });

  it('is written in a cassette as either, and taken once', () => {
    expect(writtenIgnores(['/rain\\d/i', '/result/x', '/rain\\d/i'], 'a.yaml')).toEqual([
      { source: 'rain\\d', flags: 'i', start: 0, end: 0 },
      { steps: ['result', 'x'] },
    ]);
  });

  it.each(['(?i)rain', '\\Arain', '[[:alpha:]]+'])('is an error where RE2 alone has its syntax: %s', (source) => {
    expect(() => patternIgnore({ source, flags: '' }, '--ignore-pattern')).toThrow(
      /of --ignore-pattern in a script of k6.*JavaScript has no .*\[USAGE_BAD_PATTERN\]/s,
    );
    expect(() => writtenIgnores([`/${source}/`], 'a.yaml')).toThrow('of match.ignore of a.yaml in a script of k6');
  });
});
