import { expect, it } from 'vitest';
import { wholeTextForm } from '../../../src/verify/propose/whole-text-form.ts';

it.each<[string, string[], string]>([
  ['a cursor', ['283489e71ca0-2', '1a0dc26cf146-2', 'c45369555fb4-4'], '^[0-9a-f]{12}-\\d+$'],
  ['a capital number', ['283489E71CA0', '1A0DC26CF146'], '^[0-9A-F]{12}$'],
  ['a number with small and capital digits', ['28abDe', 'FFab00'], '^[0-9a-fA-F]{6}$'],
  ['a prefix and digits', ['c14', 'c7'], '^c\\d+$'],
  ['words, signs and digits', ['page:3/12', 'page:4/7'], '^page:\\d+/\\d+$'],
  ['digits after equal ones', ['v1.22', 'v1.23'], '^v\\d+\\.\\d+$'],
  ['signs of expressions', ['v1.22+7', 'v1.23+8'], '^v\\d+\\.\\d+\\+\\d+$'],
  ['a token that may be base64', ['x8Kq2Lm9Zp4Rt6Wv', 'a1Bc3De5Fg7Hi9Jk'], '^[\\w+/=-]{16}$'],
  ['a token of small letters', ['x8kq2lm9zp4rt6wv', 'a1bc3de5fg7hi9jk'], '^[0-9a-z]{16}$'],
  ['a token of capital letters', ['01X8KQ2LM9ZP4RT6WV', '01A1BC3DE5FG7HI9JK'], '^[0-9A-Z]{18}$'],
  ['a short token, of which most are distinctive', ['x8Kq-Lm9', 'a1Bc3De5', 'pQrStuvW'], '^[\\w-]{8}$'],
  ['base64url', ['x8Kq2Lm9Zp-Rt6Wv1Yb3', 'a1B_3De5Fg7Hi9Jk2Lm4'], '^[\\w-]{20}$'],
  ['base64', ['x8Kq2Lm9Zp/Rt6Wv1Yb3', 'a1B+3De5Fg7Hi9Jk2Lm='], '^[\\w+/=-]{20}$'],
])('%s has a form', (_, texts, form) => {
  expect(wholeTextForm(texts)).toBe(form);
  for (const text of texts) expect(text).toMatch(new RegExp(form));
});

it.each<[string, string[]]>([
  ['short numbers', ['27', '55']],
  ['numbers with a sign', ['2-7', '5-5']],
  ['words', ['sunny', 'rainy']],
  ['words with the same prefix', ['milk1a', 'milk2b']],
  ['texts with blanks', ['note 1', 'note 2']],
  ['numbers of different lengths', ['283489e71c', '1a0dc26cf146']],
  ['texts with different signs', ['a1-2', 'a1_2']],
  ['words of equal length', ['aaaabbbbccccdddd', 'bbbbccccddddeeee']],
  ['nothing', ['', 'a1']],
  ['two short tokens', ['x8Kq-Lm9', 'a1Bc3De5']],
  ['short words', ['x8Kq-Lm9', 'a1Bc3De5', 'pictures']],
  ['a document', ['a1'.repeat(101), 'b2'.repeat(101)]],
])('%s have none', (_, texts) => {
  expect(wholeTextForm(texts)).toBeUndefined();
});
