import { describe, expect, it } from 'vitest';
import { fastBase64End } from '../../src/kernel/fast-base64-run-end.ts';

const STEP = 16 * 1024;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_';
const letters = (length: number) => LETTERS.repeat(Math.ceil(length / LETTERS.length)).slice(0, length);

describe('base64 in steps', () => {
  it('goes on for as many steps as are whole', () => {
    const text = `: ${letters(3 * STEP - 1)}`;
    expect(fastBase64End(text, 2)).toBe(2 + 2 * STEP);
    expect(fastBase64End(`${text}+`, 2)).toBe(2 + 3 * STEP);
    expect(fastBase64End(text, text.length)).toBe(text.length);
    expect(fastBase64End('', 0)).toBe(0);
  });

  it.each([...' =\n\\"\u007f\0', 'é', '\u0141', '\u4e2d', '\ud83d'])(
    'ends before the step in which there is %j',
    (other) => {
      for (const at of [0, 1, 2, 3, 4_097, STEP - 2, STEP - 1]) {
        const step = letters(STEP - 1);
        const text = letters(STEP) + step.slice(0, at) + other + step.slice(at) + letters(STEP);
        expect(fastBase64End(text, 0)).toBe(STEP);
      }
    },
  );
});
