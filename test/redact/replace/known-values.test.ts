import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyTrigramTable } from '../../../src/redact/fast-prefilter/trigram-scan.ts';
import { KNOWN_VALUE_LENGTH_MIN, KnownValues } from '../../../src/redact/replace/known-values.ts';

const needlesOf = (...values: string[]): KnownValues => {
  const needles = new KnownValues(emptyTrigramTable());
  for (const value of values) needles.add(value, () => `<${value}>`);
  return needles;
};
const found = (needles: KnownValues, text: string) =>
  needles.find(text).map(({ start, end }) => text.slice(start, end));

describe('needles', () => {
  it('find each value wherever it is, the longest where one ends another', () => {
    const needles = needlesOf('hunter22', 'my-hunter22', 'other-1-value');
    expect(found(needles, 'hunter22, my-hunter22;other-1-value')).toEqual(['hunter22', 'my-hunter22', 'other-1-value']);
  });

  it('find exactly what a plain search finds', () => {
    const value = fc.stringMatching(/^[ab1-]{8,12}$/).filter((text) => /\d/.test(text) && /[ab]/.test(text));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), fc.stringMatching(/^[ab1-]{0,80}$/), (values, text) => {
        const ends = new Set(
          needlesOf(...values)
            .find(text)
            .map(({ end }) => end),
        );
        const wanted = new Set<number>();
        for (const one of values)
          for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) wanted.add(at + one.length);
        expect(ends).toEqual(wanted);
      }),
    );
  });

  it('take a word or a number only where it stands alone', () => {
    const needles = needlesOf('sunflower', '20261121');
    expect(found(needles, 'sunflowers of 120261121, bigsunflower')).toEqual([]);
    expect(found(needles, 'sunflower_20261121\\nsunflower %20sunflower')).toHaveLength(4);
  });

  it('do not look into placeholders', () => {
    expect(
      found(
        needlesOf('n-name-7', '[redacted:x', 'a:1] b2'),
        'n-name-7 [redacted:n-name-7:1] [redacted:x:1] [redacted:a:1] b2',
      ),
    ).toEqual(['n-name-7']);
  });

  it('leave out what is too short to be looked for', () => {
    const needles = needlesOf('a1b2c'.slice(0, KNOWN_VALUE_LENGTH_MIN - 1));
    expect(needles.size).toBe(0);
    expect(needles.find('a1b2c')).toEqual([]);
  });

  it('look at a text once, however many they are: values that begin alike are told apart by their ends', () => {
    const values = Array.from({ length: 5_000 }, (_, i) => `eyJhbGciOiJIUzI1NiJ9.${'x'.repeat(100)}.${i}-${i * 7919}`);
    const needles = needlesOf(...values);
    expect(found(needles, `${values[17]} ${'eyJhbGciOiJIUzI1NiJ9.'.repeat(5_000)} ${values[4_000]}`)).toEqual([
      values[17],
      values[4_000],
    ]);
  });
});
