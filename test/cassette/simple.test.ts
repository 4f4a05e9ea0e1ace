import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlain } from '../../src/cassette/plain.ts';
import { isSimpleJson, isSimplePlain } from '../../src/cassette/simple.ts';
import { trickyString } from './arbitrary.ts';

const inText = (check: typeof isSimplePlain, text: string) => check(`<${text}>`, 1, 1 + text.length);

describe('the fast answers', () => {
  it('say yes to what most keys and values are', () => {
    expect(
      ['method', 'tools/call', 'a b, c', 'http://x:1', 'ok'].filter((text) => !inText(isSimplePlain, text)),
    ).toEqual([]);
    expect(['0', '42', '""', '"2.0"', '"a: b"'].filter((text) => !inText(isSimpleJson, text))).toEqual([]);
  });

  it('say yes only to plain scalars that JSON has not to escape', () => {
    fc.assert(
      fc.property(trickyString, (text) => {
        if (!inText(isSimplePlain, text)) return;
        expect(isPlain(text)).toBe(true);
        expect(JSON.stringify(text)).toBe(`"${text}"`);
      }),
      { numRuns: 2000 },
    );
  });

  it('say yes only to JSON that stands as it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          trickyString,
          trickyString.map((text) => JSON.stringify(text)),
        ),
        (text) => {
          if (inText(isSimpleJson, text)) expect(JSON.stringify(JSON.parse(text))).toBe(text);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each(['01', '', '1.0', '-1', '"a', '"', '"a"b"', '"a\\nb"'])('leave %j to others', (text) => {
    expect(inText(isSimpleJson, text)).toBe(false);
  });
});
