import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLinear, literalSource, noValueGroup } from '../../src/kernel/linear-regex.ts';

describe('an expression of a user', () => {
  it.each([
    ['C-(\\d+)', 'of C-17 and C-18', ['17', '18']],
    [/ann@\S+/i, 'to ANN@x.example, ann@y', ['ANN@x.example,', 'ann@y']],
    [/^b$/m, 'a\nb\nc', ['b']],
    [/a.c/s, 'a\nc', ['a\nc']],
    ['x(y)?', 'x xy', ['x', 'y']],
    ['(?<name>z+)', 'zz', ['zz']],
    ['\\u00e9', 'caf\u00e9', ['\u00e9']],
    ['😀+', 'a 😀😀 b', ['😀😀']],
    ['(?i)secret', 'SECRET', ['SECRET']],
  ])('%s finds its matches in %j', (pattern, text, found) => {
    const expression = compileLinear(pattern);
    expect(expression.spans(text).map(({ start, end }) => text.slice(start, end))).toEqual(found);
    expect(expression.test(text)).toBe(true);
  });

  it('finds what that of JavaScript finds', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      'ab',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '(?:a|b)',
      '.',
      'a*',
      'b+?',
      '(a)',
      'a{2,3}',
    );
    const source = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n'), maxLength: 20 });
    fc.assert(
      fc.property(source, text, (pattern, subject) => {
        const own = [...subject.matchAll(new RegExp(pattern, 'dg'))].map(({ indices }) => {
          const [start, end] = indices?.[1] ?? indices![0]!;
          return { start, end };
        });
        expect(compileLinear(pattern).spans(subject)).toEqual(own);
      }),
    );
  });

  it.each(['(?<=a)b', 'a(?=b)', '(a)\\1', '(', '[', 'a**'])('%s is refused, as RE2 does not have it', (source) => {
    expect(() => compileLinear(source)).toThrow(/error parsing regexp|invalid|missing/i);
  });

  it.each(['(a+)+b', '\\w+\\s*\\w+\\s*\\w+\\s*\\w+@corp', '(?:a{1,10}){1,10}b', 'a*a*a*a*a*b'])(
    '%s ends, whatever the text',
    { timeout: 10_000 },
    (source) => {
      const { spans } = compileLinear(source);
      expect(spans('a'.repeat(100_000))).toEqual([]);
      expect(spans(`${'a '.repeat(20_000)}@`)).toEqual([]);
    },
  );
});

it.each(['plain', 'a.b*c+d?', '^$', '(x|y)', '[0-9]{2}', 'C:\\dir', 'a/b'])(
  'the source of %s matches it alone',
  (text) => {
    expect(new RegExp(`^${literalSource(text)}$`).test(text)).toBe(true);
    expect(new RegExp(`^${literalSource(text)}$`).test(`${text}x`)).toBe(false);
  },
);

it.each([
  ['[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+', 'repeated'],
  ['a(b|c)*', 'repeated'],
  ['a(b){2}', 'repeated'],
  ['a(?<n>\\w)?', undefined],
  ['(?<id>CUST|ORD)-\\d+', undefined],
  ['(?P<id>CUST|ORD)-\\d+', undefined],
  ['(CUST|ORD)-\\d+', 'words'],
  ['(a\\.b)\\d', 'words'],
  ['CUST-(\\d+)', undefined],
  ['(?:CUST|ORD)-\\d+', undefined],
  ['(?i)(?:a)+(\\d+)', undefined],
  ['(hunter2)', undefined],
  ['token=([^&]+)&(x)+', undefined],
  ['[(]a[)]+', undefined],
  ['\\(a\\)+', undefined],
  ['((a|b)+)c', undefined],
] as const)('the first group of %s is no value if it is repeated or has words alone: %s', (source, kind) => {
  expect(noValueGroup(source)).toBe(kind);
});
