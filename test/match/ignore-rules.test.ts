import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLinear, matchesEveryText } from '../../src/kernel/linear-regex.ts';
import { ExactNumber, exactValue } from '../../src/match/exact-json-value.ts';
import {
  escapeStep,
  type Ignore,
  ignoredExpressions,
  ignoreInStrings,
  type Normalize,
  numberedRules,
  parsePointer,
  without,
} from '../../src/match/ignore-rules.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { isObject } from '../../src/protocol/message.ts';
import { jsonValue } from '../support/json.ts';

describe('a pointer', () => {
  it('names the same steps however they are escaped', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (steps) => {
        expect(parsePointer(steps.map((step) => `/${escapeStep(step)}`).join(''))).toEqual(steps);
      }),
    );
  });

  it.each([
    ['', []],
    ['/', ['']],
    ['/a//b', ['a', '', 'b']],
    ['/a~1b/m~0n/~01', ['a/b', 'm~n', '~1']],
    ['/params/*/0', ['params', '*', '0']],
  ])('%j is %j', (pointer, steps) => {
    expect(parsePointer(pointer)).toEqual(steps);
  });

  it.each(['params', 'params/arguments', '#/params', ' /params'])('%j is none, and an error says so', (text) => {
    expect(() => parsePointer(text)).toThrow(expect.objectContaining({ code: 'USAGE_BAD_POINTER' }));
  });
});

describe('without', () => {
  /** Every pointer into `value`. */
  function pointersIn(value: unknown, here = ''): string[] {
    if (!isObject(value) && !Array.isArray(value)) return [here];
    const below = Object.entries(value).flatMap(([key, item]) => pointersIn(item, `${here}/${escapeStep(key)}`));
    return [here, ...below];
  }

  const hasStar = (value: unknown) => JSON.stringify(value).includes('"*"');

  it('takes away what a pointer names and nothing else', () => {
    fc.assert(
      fc.property(jsonValue, fc.nat(), (value, pick) => {
        fc.pre(!hasStar(value));
        const pointers = pointersIn(value);
        const gone = pointers[pick % pointers.length]!;
        const inside = (pointer: string) => pointer === gone || pointer.startsWith(`${gone}/`);
        const left = pointersIn(without(value, [gone])).filter((pointer) => pointer !== gone);
        expect(left).toEqual(pointers.filter((pointer) => !inside(pointer)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('changes nothing where a pointer leads nowhere, and never the value it was given', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const before = structuredClone(value);
        expect(without(value, ['/nowhere/at/all', '/a/b/c/d/e/f/g/h'])).toEqual(before);
        without(value, ['/*', '/*/*', '/a']);
        expect(value).toEqual(before);
      }),
    );
  });

  it('takes away by many pointers at once what it takes away by one after the other', () => {
    fc.assert(
      fc.property(jsonValue, fc.array(fc.nat(), { maxLength: 6 }), fc.nat(2), (value, picks, stars) => {
        const all = pointersIn(value);
        const named = picks.map((pick, index) => {
          const pointer = all[pick % all.length]!;
          return index < stars ? pointer.replace(/\/[^/]*/, '/*') : pointer;
        });
        const oneByOne = named.reduce((rest, pointer) => without(rest, [pointer]), value as unknown);
        expect(without(value, named)).toEqual(oneByOne);
      }),
      { numRuns: 1_000 },
    );
  });

  it('shares what the pointers do not touch', () => {
    const value = { kept: { deep: [1] }, gone: 1 };
    expect((without(value, ['/gone']) as typeof value).kept).toBe(value.kept);
    expect(without(value, ['/none', '/kept/none', '/kept/*/none'])).toBe(value);
  });

  it('takes every key or index for a star', () => {
    const value = {
      list: [
        { id: 1, x: 1 },
        { id: 2, x: 2 },
      ],
      map: { a: { id: 3 }, b: { id: 4, y: 5 } },
    };
    expect(without(value, ['/list/*/id', '/map/*/id'])).toEqual({
      list: [{ x: 1 }, { x: 2 }],
      map: { a: {}, b: { y: 5 } },
    });
    expect(without({ list: [1, 2, 3] }, ['/list/*'])).toEqual({ list: [] });
  });

  it('leaves the other elements of a list where they were', () => {
    expect(without([1, 2, 3], ['/0'])).toEqual([undefined, 2, 3]);
    expect(without([1, 2, 3], ['/2'])).toEqual([1, 2]);
    expect(without([1, 2, 3], ['/01', '/-', '/1.0'])).toEqual([1, 2, 3]);
  });

  it('keeps a key "__proto__" as the key it is', () => {
    const value = JSON.parse('{"__proto__":{"admin":true},"gone":1}');
    const left = without(value, ['/gone']) as object;
    expect(JSON.stringify(left)).toBe('{"__proto__":{"admin":true}}');
    expect('admin' in left).toBe(false);
  });

  it('sees a big number as one value', () => {
    const value = { n: new ExactNumber('1e400') };
    expect(without(value, ['/n/digits', '/n/*'])).toEqual(value);
  });

  it('takes away all of it for the empty pointer', () => {
    expect(without({ a: 1 }, [''])).toBeUndefined();
  });
});

describe('an expression', () => {
  const id = /\b[0-9a-f]{8}\b/;

  it('takes its matches out of every text, and nothing else', () => {
    const message = (one: string, other: string, price: number) => ({
      content: [{ text: `{"id":"${one}","price":${price}}` }],
      structured: { id: other, [one]: price },
    });
    const compared = (one: string, other: string, price: number) => without(message(one, other, price), [id]);
    expect(compared('0123abcd', '89abcdef', 5)).toMatchObject({ structured: { id: '[ignored]', '0123abcd': 5 } });
    expect(compared('0123abcd', '0123abcd', 5)).toEqual({
      ...(compared('0123abcd', '89abcdef', 5) as object),
    });
    expect(compared('0123abcd', '0123abcd', 6)).not.toEqual(compared('0123abcd', '0123abcd', 5));
    expect(compared('0123abcd', 'none', 5)).not.toEqual(compared('0123abcd', '0123abcd', 5));
  });

  it('with groups takes out the whole match all the same', () => {
    const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
    expect(without({ text: 'id e04f0885-ad41-4fbf-9d5c-2708272d8d12.' }, [uuid])).toEqual({ text: 'id [ignored].' });
    expect(without({ text: 'on Mon Jan 05 2026' }, [/(Mon|Tue) [A-Z][a-z]{2} \d\d \d{4}/])).toEqual({
      text: 'on [ignored]',
    });
  });

  it('works together with pointers and functions, and leaves exact numbers alone', () => {
    const value = exactValue(new JsonText('{"a":12345678901234567890,"b":"x 5","c":"5"}'));
    expect(without(value, ['/c', /\d/, (one) => ({ ...(one as object), d: 1 })])).toEqual({
      a: expect.anything(),
      b: 'x [ignored]',
      d: 1,
    });
    expect(without(value, [/\d/])).toMatchObject({ a: (value as { a: unknown }).a });
  });

  it.each(['.', '.*', '.+', '(?s).*', '[^x]+', '\\S|\\s', '^.+$', '.|x', '\\S+', '[ -~]+'])(
    '%s matches every text',
    (pattern) => {
      expect(matchesEveryText(compileLinear(pattern))).toBe(true);
    },
  );

  it.each(['\\d+', '\\w+', 'x*', '[0-9a-f-]{36}', '\\d{4}-\\d\\d-\\d\\d', 'request .*', ' '])(
    '%s does not',
    (pattern) => {
      expect(matchesEveryText(compileLinear(pattern))).toBe(false);
    },
  );

  it('that matches nothing at all changes nothing', () => {
    expect(without({ text: 'abc' }, [/x*/])).toEqual({ text: 'abc' });
  });
});

it('a function gives what is compared, and works together with pointers', () => {
  const lower = (message: unknown) => JSON.parse(JSON.stringify(message).toLowerCase());
  expect(without({ A: 'X', b: 1 }, ['/b', lower])).toEqual({ a: 'x' });
  expect(without({ A: 'X', b: 1 }, [lower, '/a'])).toEqual({ b: 1 });
});

it.each([
  [
    /Oslo: sunny \(as of \d\d:\d\d\)/,
    'Oslo: sunny (as of 09:00)',
    /Rome: rainy \(as of \d\d:\d\d\)/,
    'Rome: rainy (as of 09:00)',
  ],
  [/^\d+ rows found$/, '1 rows found', /^\d+ files found$/, '1 files found'],
  [/id [\w-]+ of/, 'id a-1 of', /key [\w-]+ of/, 'key a-1 of'],
  [/a[\]x\d]+b/, 'a]1b', /c[\]x\d]+d/, 'c]1d'],
  [/took (\d+(\.\d+)?)ms/, 'took 1.5ms', /lost (\d+(\.\d+)?)ms/, 'lost 1.5ms'],
  [/xa?\d{2,3}/, 'xa11', /ya?\d{2,3}/, 'ya11'],
])('what %s matches in %j is not what %s matches in %j', (one, text, other, otherText) => {
  const compared = (value: string) => without(value, [one, other]);
  expect(compared(text)).not.toEqual(compared(otherText));
  expect(compared(text)).toEqual(compared(text.replaceAll(/1/g, '2').replace('09', '10')));
});

it('alternatives, the flag i and an expression without a variable part leave out all of a match', () => {
  expect(without('at noon', [/at noon|at nine/])).toBe('[ignored]');
  expect(without('AT 9', [/at \d/i])).toBe('[ignored]');
  expect(without('at noon', [/noon/])).toBe('at [ignored]');
});

describe('rules that mask secrets', () => {
  const numbered: Normalize = () => '[live token:1]';
  const masks: Normalize = Object.assign(() => '[redacted]', { numbered });

  it('tell secrets apart in the numbered form, which is made once', () => {
    const rules: readonly Ignore[] = ['/a', masks];
    expect(numberedRules(rules)).toEqual(['/a', numbered]);
    expect(numberedRules(rules)).toBe(numberedRules(rules));
  });

  it('are the same where none masks any', () => {
    const rules: readonly Ignore[] = ['/a', () => 'b'];
    expect(numberedRules(rules)).toBe(rules);
  });
});

it('the expressions among rules are found, also in rules made of them', () => {
  const expression = compileLinear(/x/);
  const rules: readonly Ignore[] = ['/a', ignoreInStrings(expression), () => 'b', /y/];
  const found = ignoredExpressions(rules);
  expect(found).toHaveLength(2);
  expect(found[0]).toBe(expression);
});
