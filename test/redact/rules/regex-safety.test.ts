import { describe, expect, it } from 'vitest';
import { catastrophicBacktracking } from '../../../src/redact/rules/regex-safety.ts';

describe('an expression', () => {
  it.each([
    '(a+)+b',
    '(a*)*',
    '(?:x|a+)+',
    '((a{2,})b?)*c',
    '(a|a)*',
    '(?:\\w|\\d)+!',
    '(.|\\n)+x',
    '(?<k>[a-z]+)*',
    '(a{1,20}){5,}',
    '(|a)+',
  ])('%s is refused', (source) => expect(catastrophicBacktracking(source)).toMatch(/repetition/));

  it.each([
    'CUST-(\\d+)',
    '(?:ab|cd)+',
    '[a-z+*]+@[(a+)+]+',
    '\\(a+\\)+',
    '(?:\\d{1,3}\\.){3}\\d{1,3}',
    '(a|ab)c*',
    '^(?=a+)b',
    '(?:a+b){2}',
    'a+',
  ])('%s is taken', (source) => expect(catastrophicBacktracking(source)).toBeUndefined());

  it('may be no expression at all', () => {
    for (const source of ['(', ')', '[', '\\', '{', '*', '(?', 'a{', '())+'])
      expect(() => catastrophicBacktracking(source)).not.toThrow();
  });
});
