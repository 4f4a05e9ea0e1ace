import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columns, printable, printableJson, truncate } from '../../src/text-report/printable-text.ts';
import { anyCharacter } from '../support/fuzz.ts';

describe('printable', () => {
  it('shows what would steer a terminal', () => {
    expect(printable('\u001b[2J\u0007\u009b1m\u202egpj.exe\n\t\u2028\ufeff')).toBe(
      '\\u001b[2J\\u0007\\u009b1m\\u202egpj.exe\\n\\t\\u2028\\ufeff',
    );
  });

  it('leaves text of every script as it is', () => {
    const text = 'naïve 漢字 👩‍👩‍👧‍👦 ❤️ 1️⃣ 🏳️‍🌈 e\u0301 ไทย می\u200cخواهم क्\u200dष ᠠ\u180b';
    expect(printable(text)).toBe(text);
  });

  it.each([
    ['tag characters', '\u{e0001}\u{e0049}\u{e007f}', '\\u{e0001}\\u{e0049}\\u{e007f}'],
    ['spaces and joiners of no width', 'a\u200bb\u2060c\u200dd\u200ce', 'a\\u200bb\\u2060c\\u200dd\\u200ce'],
    ['a joiner after a joiner', '👩\u200d\u200c', '👩\u200d\\u200c'],
    ['soft hyphens and fillers', 'a\u00adb\u115f\u3164\uffa0', 'a\\u00adb\\u115f\\u3164\\uffa0'],
    ['variants of what has none', 'a\ufe0fb\u{e0100}', 'a\\ufe0fb\\u{e0100}'],
  ])('shows %s, which nobody would see', (_what, hidden, shown) => {
    expect(printable(hidden)).toBe(shown);
  });

  it('escapes the same characters in JSON, and leaves the value', () => {
    const value = { 'a\u009b': 'b\u202ec\u{e0041}\u007f\n"\u2028', d: 'Ulm 👩‍👩‍👧' };
    const json = printableJson(JSON.stringify(value, undefined, 2));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toBe('{\n  "a\\u009b": "b\\u202ec\\udb40\\udc41\\u007f\\n\\"\\u2028",\n  "d": "Ulm 👩‍👩‍👧"\n}');
  });

  it('shows half a pair', () => {
    expect(printable('a\ud83d b\ude00 😀')).toBe('a\\ud83d b\\ude00 😀');
  });

  it('leaves nothing that is a control', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
      }),
    );
  });
});

describe('columns', () => {
  it.each([
    ['plain', 5],
    ['漢字', 4],
    ['한글', 4],
    ['e\u0301', 1],
    ['😀', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['ﾊﾝｶｸ', 4],
    ['', 0],
  ])('%s takes %i', (text, width) => {
    expect(columns(text)).toBe(width);
  });

  it.each([
    ['letters of one column', 'é', 1, 700],
    ['letters of two columns', '漢', 2, 700],
    ['pairs with a modifier', '👍🏽', 2, 300],
    ['families', '👩‍👩‍👧‍👦', 2, 100],
    ['flags', '🇩🇪', 2, 300],
  ])('%s take the same wherever they stand in a long text', (_what, grapheme, each, count) => {
    for (const before of ['', 'x', 'xx', 'xxx']) {
      expect(columns(before + grapheme.repeat(count))).toBe(before.length + each * count);
    }
  });

  it('one letter with thousands of accents is one letter', () => {
    expect(columns(`a${'\u0301'.repeat(5_000)}b`)).toBe(2);
  });
});

describe('truncate', () => {
  it('leaves what fits', () => {
    expect(truncate('12345', 5)).toBe('12345');
    expect(truncate('', 0)).toBe('');
  });

  it('cuts at the width, ellipsis included', () => {
    expect(truncate('123456', 5)).toBe('1234…');
    expect(truncate('123456', 1)).toBe('…');
    expect(truncate('123456', 0)).toBe('');
  });

  it('never cuts through what is one character to a reader', () => {
    expect(truncate('漢字かな', 6)).toBe('漢字…');
    expect(truncate('a👩‍👩‍👧‍👦b👩‍👩‍👧‍👦', 4)).toBe('a👩‍👩‍👧‍👦…');
  });

  it('never takes more than the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => {
        expect(columns(truncate(printable(text), width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('leaves everything where there is no end of room', () => {
    const text = '→ 漢'.repeat(1_000_000);
    expect(truncate(text, Number.POSITIVE_INFINITY)).toBe(text);
  });

  it('does not walk a text of megabytes', () => {
    expect(truncate('x'.repeat(50_000_000), 10)).toBe('xxxxxxxxx…');
  });
});
