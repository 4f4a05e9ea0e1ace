import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/match/canonical-json.ts';
import { ExactNumber, exactValue } from '../../src/match/exact-json-value.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { jsonText } from '../support/json.ts';

const exact = (text: string) => exactValue(new JsonText(text));
const textOf = (text: string) => canonicalJson(exact(text));

/** An oracle that knows no floats: the number as numerator × 10^exponent, in lowest terms. */
function rational(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let numerator = BigInt(whole.replace('-', '') + fraction);
  let power = BigInt(exponent) - BigInt(fraction.length);
  if (numerator === 0n) return '0';
  while (numerator % 10n === 0n) {
    numerator /= 10n;
    power++;
  }
  return `${whole.startsWith('-') ? '-' : ''}${numerator}e${power}`;
}

const digits = fc.array(fc.constantFrom(...'00012345679'), { maxLength: 25 }).map((all) => all.join(''));
const number = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits.map((text) => text.replace(/^0+/, '') || '0'),
    fraction: fc.oneof(
      fc.constant(''),
      digits.map((text) => `.${text}0`),
    ),
    exponent: fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat(500)).map(([e, n]) => `${e}${n}`),
    ),
  })
  .map(({ sign, whole, fraction, exponent }) => sign + whole + fraction + exponent);

/** The same value with its point elsewhere. */
const respelled = fc.tuple(number, fc.integer({ min: -30, max: 30 })).map(([token, shift]) => {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  const padded = fraction.padEnd(Math.max(0, shift), '0');
  const moved = shift > 0 ? `${whole}${padded.slice(0, shift)}.${padded.slice(shift)}0` : mantissa;
  const written = moved.replace(/^(-?)0+(?=\d)/, '$1');
  return [token, `${written}e${Number(exponent) - Math.max(0, shift)}`] as const;
});

describe('a number', () => {
  it('equals another when their decimal values are equal, and only then', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(textOf(a) === textOf(b)).toBe(rational(a) === rational(b));
      }),
      { numRuns: 2_000 },
    );
  });

  it('equals itself in any other spelling', () => {
    fc.assert(
      fc.property(respelled, ([a, b]) => {
        expect(rational(a)).toBe(rational(b));
        expect(textOf(a)).toBe(textOf(b));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['0.1', '0.1000000000000000055511151231257827'],
    ['1e400', '1e401'],
    ['1e400', '"1e400"'],
    ['-1e400', '1e400'],
    ['1e-400', '0'],
    ['1e99999999999999999999999', '1e99999999999999999999998'],
    // An exponent of more than twenty characters is taken as it is spelt.
    ['1e000000000000000000001', '10'],
  ])('%s is not %s', (a, b) => {
    expect(textOf(`[${a}]`)).not.toBe(textOf(`[${b}]`));
  });

  it.each([
    ['-0', '0'],
    ['1E400', '10e399'],
    ['1.0', '1'],
    ['1e00000000000000000001', '10'],
    ['0e99999999999999999999999', '0.000000000000000000000000'],
  ])('%s is %s', (a, b) => {
    expect(textOf(a)).toBe(textOf(b));
  });

  it('with zeros inside is looked at once, however many they are', () => {
    const text = `[1${'0'.repeat(2_000_000)}1]`;
    expect(textOf(text)).toBe(text);
  });
});

describe('the exact value', () => {
  it('is the parsed value where nothing is lost', () => {
    fc.assert(
      fc.property(jsonText(), (text) => {
        expect(exact(text)).toEqual(JSON.parse(text));
        expect(exact(`[${text},1e400]`)).toEqual([JSON.parse(text), new ExactNumber('1e400')]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the very object that was parsed where only strings look like long numbers', () => {
    const json = new JsonText('{"blob":"1e5 12345678901234567890"}');
    expect(exactValue(json)).toBe(json.value);
  });

  it('leaves keys and strings alone, whatever number is in them', () => {
    expect(exact('{"1e400":"1e400","a\\"1e400":12345678901234567891}')).toEqual({
      '1e400': '1e400',
      'a"1e400': new ExactNumber('12345678901234567891'),
    });
  });

  it('takes no string for a number, however it begins', () => {
    const strings = ['\0', '\0exact 5', '\0\0\x315', '\0\0\0'];
    expect(exact(JSON.stringify([...strings, 0]).replace(/0]$/, '1e400]'))).toEqual([
      ...strings,
      new ExactNumber('1e400'),
    ]);
  });

  it('of a text with a string of many megabytes is found', () => {
    const long = 'a'.repeat(20_000_000);
    const value = exact(`{"n":1e400,"s":"${long}"}`) as { s: string };
    expect(value.s.length).toBe(long.length);
  });

  it('of what is nested too deep to be walked is its text', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}1e400${']'.repeat(depth)}`;
    expect(exact(nested(100_000))).toBe(nested(100_000));
    expect(exact(nested(65))).toBe(nested(65));
    expect(exact(nested(64))).toEqual(
      JSON.parse(nested(64), (_, item) => (item === Infinity ? new ExactNumber('1e400') : item)),
    );
  });
});

it('prints as its digits', () => {
  expect(`${new ExactNumber('1e400')} ${JSON.stringify({ n: new ExactNumber('1e400') })}`).toBe('1e400 {"n":"1e400"}');
});
