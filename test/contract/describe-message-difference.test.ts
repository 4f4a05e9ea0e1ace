import { describe, expect, it } from 'vitest';
import { differenceWords } from '../../src/contract/describe-message-difference.ts';

const error = (code: number, message = 'no') => ({ error: { code, message } });
const result = (value: unknown) => ({ result: value });

describe('differenceWords', () => {
  it.each([
    ['nothing of values that match', result({ a: 1, b: 2 }), result({ b: 2, a: 1 }), ''],
    ['a value that changed', result({ a: 1 }), result({ a: 2 }), '/result/a (1 → 2)'],
    ['a value that is new', result({}), result({ a: [1] }), '/result/a is new: [1]'],
    ['a value that is gone', result({ a: 1 }), result({}), '/result/a is gone: was 1'],
    ['an error that was a result', result({}), error(-32602), 'error -32602 "no" instead of a result'],
    ['a result that was an error', error(-32602), result({}), 'a result instead of error -32602 "no"'],
    ['another error', error(-1), error(-2), 'error code -1 → -2'],
    ['the places of a few', result({ a: 1, b: 1, c: 1, d: 1 }), result({}), /\/result\/c is gone: was 1 and 1 more$/],
  ])('says %s', (_what, recorded, live, words) => {
    expect(differenceWords(recorded, live)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
  });

  it('shows long texts from where they part', () => {
    const common = 'word '.repeat(1_000);
    const words = differenceWords(result(`${common}before${common}`), result(`${common}after${common}`));
    expect(words).toContain('before');
    expect(words).toContain('after');
    expect(words.length).toBeLessThan(150);
  });

  it('cuts long values', () => {
    expect(differenceWords(result({}), result({ a: 'x'.repeat(1_000) })).length).toBeLessThan(80);
  });
});
