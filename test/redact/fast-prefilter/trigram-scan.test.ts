import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BASE64_LENGTH_MIN,
  emptyTrigramTable,
  MAY_HOLD,
  mark,
  scanBytes,
  scanText,
  scanTrigrams,
} from '../../../src/redact/fast-prefilter/trigram-scan.ts';
import { anyCharacter } from '../../support/fuzz.ts';

const text = fc.oneof(fc.string(), fc.string({ unit: anyCharacter }));
const gram = fc.string({ unit: 'grapheme-ascii', minLength: 3, maxLength: 5 });

describe('the first look', () => {
  it('sees what is marked wherever it stands, in any case', () => {
    fc.assert(
      fc.property(text, gram, text, fc.boolean(), (before, marked, after, isLoud) => {
        const marks = emptyTrigramTable();
        mark(marks, marked, MAY_HOLD.known);
        const whole = before + (isLoud ? marked.toUpperCase() : marked) + after;
        expect(scanTrigrams(whole, marks, 0, whole.length) & MAY_HOLD.known).toBe(MAY_HOLD.known);
        expect(scanText(whole, marks).ends(MAY_HOLD.known)).toContain(before.length + marked.length);
      }),
    );
  });

  it.each([255, 256, 257, 65_533, 65_534, 65_535, 65_536, 131_071])(
    'sees it after %i characters of any size',
    (before) => {
      const marks = emptyTrigramTable();
      for (const marked of ['abc', 'ключ']) mark(marks, marked, MAY_HOLD.known);
      for (const filler of ['.', '…'])
        for (const marked of ['abc', 'ключ']) {
          const whole = filler.repeat(before) + marked + filler;
          expect(scanTrigrams(whole, marks, 0, whole.length)).toBe(MAY_HOLD.known);
          expect(scanTrigrams(whole, marks, 0, before + 2)).toBe(0);
          expect(scanText(whole, marks).ends(MAY_HOLD.known)).toEqual([before + marked.length]);
          const bytes = Buffer.from(whole, 'latin1');
          expect(scanBytes(bytes, marks, 0, bytes.length)).toBe(MAY_HOLD.known);
          expect(scanBytes(bytes, marks, 1, before + 2)).toBe(0);
        }
    },
  );

  it('tells kinds apart, and sees nothing where nothing is marked', () => {
    const marks = emptyTrigramTable();
    mark(marks, 'abc', MAY_HOLD.name);
    mark(marks, 'xyz', MAY_HOLD.pattern);
    const look = (seen: string) => scanTrigrams(seen, marks, 0, seen.length);
    expect([look('abc'), look('XYZ'), look('abc xyz'), look('ab c')]).toEqual([2, 1, 3, 0]);
    expect(scanTrigrams('abc---', marks, 3, 6)).toBe(0);
  });

  it('sees the same in bytes', () => {
    const marks = emptyTrigramTable();
    for (const [n, marked] of ['abc', 'key', '===', 'x y'].entries()) mark(marks, marked, 1 << n);
    const ascii = fc.array(fc.constantFrom('a', 'b', 'c', 'k', 'key', 'x y', '=', 'Qq0/'.repeat(7)));
    fc.assert(
      fc.property(ascii, ascii, ascii, (before, within, after) => {
        const parts = [before, within, after].map((part) => part.join(''));
        const whole = parts.join('');
        const start = parts[0]!.length;
        const end = start + parts[1]!.length;
        expect(scanBytes(Buffer.from(whole), marks, start, end)).toBe(scanTrigrams(whole, marks, start, end));
      }),
    );
  });

  it('sees what has a run of base64 only in a text with such a run, and the same in bytes', () => {
    const marks = emptyTrigramTable();
    mark(marks, 'pat', MAY_HOLD.run);
    mark(marks, 'key', MAY_HOLD.run | MAY_HOLD.name);
    const run = 'aB3/'.repeat(6);
    for (const filler of ['.', '.'.repeat(300)])
      for (const [text, bits] of [
        [`path${filler}`, 0],
        [`${filler}key`, MAY_HOLD.name],
        [`path${filler}${run}`, MAY_HOLD.run | MAY_HOLD.base64],
        [`${run}${filler}`, MAY_HOLD.base64],
      ] as const) {
        expect(scanTrigrams(text, marks, 0, text.length)).toBe(bits);
        expect(scanText(text, marks).bits).toBe(bits);
        expect(scanBytes(Buffer.from(text), marks, 0, text.length)).toBe(bits);
      }
  });

  it('sees a run of base64 that is long enough, and no shorter one', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(60), (before, length, after) => {
        const seen = ' '.repeat(before) + 'aB3/'.repeat(20).slice(0, length) + '.'.repeat(after);
        const bits = scanTrigrams(seen, emptyTrigramTable(), 0, seen.length);
        expect(bits).toBe(length >= BASE64_LENGTH_MIN ? MAY_HOLD.base64 : 0);
      }),
    );
  });
});
