import { describe, expect, it } from 'vitest';
import { compileLinear } from '../../../src/kernel/linear-regex.ts';
import { isMatched, matchesIn, valuesInPlaces } from '../../../src/replay/tokens/values-in-live-texts.ts';

/** What the live text has in the places of values of the recorded one. */
function found(values: string[], recorded: string, live: string, ...patterns: string[]) {
  const spans = values.map((value) => ({
    start: recorded.indexOf(value),
    end: recorded.indexOf(value) + value.length,
  }));
  return valuesInPlaces(spans, { recorded, live, patterns: patterns.map((pattern) => compileLinear(pattern)) });
}

describe('a value has its live one', () => {
  it.each([
    ['h-m8eIfn', 'Cart h-m8eIfn is new.', 'Cart q-77aa is new.', 'q-77aa'],
    ['T/ucA1+P9==', 'id T/ucA1+P9==, kept', 'id x+y/z==, kept', 'x+y/z=='],
    ['aBcDefGhijKl', '{"id":"aBcDefGhijKl","n":3}', '{"id":"QwErTzUiOpAs","n":4}', 'QwErTzUiOpAs'],
    ['aBcDefGhijKl', 'aBcDefGhijKl', 'QwErTzUiOpAs', 'QwErTzUiOpAs'],
  ])('%s, between the same text', (value, recorded, live, expected) => {
    expect(found([value], recorded, live)).toEqual([expected]);
  });

  it('beside another one, and as a part of it', () => {
    const [recorded, live] = ['aBcDefGhijKl by sess-he2b49ct', 'QwErTzUiOpAs by sess-k31fz0aa'];
    expect(found(['aBcDefGhijKl', 'sess-he2b49ct', 'he2b49ct'], recorded, live)).toEqual([
      'QwErTzUiOpAs',
      'sess-k31fz0aa',
      'k31fz0aa',
    ]);
  });

  it('in what an expression matches, though a sign of an id would end it', () => {
    const [recorded, live] = ['refs/ab12cd/x1', 'refs/ab/34/x9'];
    expect(found(['ab12cd'], recorded, live)).toEqual(['ab']);
    expect(found(['ab12cd'], recorded, live, 'refs/.*/x')).toEqual(['ab/34']);
    expect(
      found(
        ['ab12cd'],
        'Order ab12cd of aBcDeFgHi',
        'Order x9/9 of zYxWvUtSr',
        String.raw`Order \S+`,
        String.raw`of \S+`,
      ),
    ).toEqual(['x9/9']);
  });

  it('where what an expression matches beside it has changed', () => {
    expect(found(['ord_8f3a'], 'On Monday: ord_8f3a.', 'On Friday: ord_77aa.', 'On [A-Z]\\w+')).toEqual(['ord_77aa']);
  });
});

describe('nobody knows the live value', () => {
  it.each([
    ['the text around it has changed', ['Order ord_8f3a.', 'No stock: ord_0000 is out.']],
    ['there are words', ['ord_8f3a', 'not available today']],
    ['there are signs that no id has', ['Order ord_8f3a.', 'Order <none>.']],
    ['there is nothing', ['Order ord_8f3a.', 'Order .']],
  ] as const)('if %s', (_, [recorded, live]) => {
    expect(found(['ord_8f3a'], recorded, live)).toEqual([undefined]);
  });

  it('if an expression matches, and the text around the matches has changed', () => {
    expect(found(['ord_8f3a'], 'new: ord_8f3a', 'none, but ord_77aa', 'ord_\\w+')).toEqual([undefined]);
  });
});

it('a span is matched if it is inside a match', () => {
  const matches = matchesIn('at 12 and 345', [compileLinear('at \\d+'), compileLinear('\\d+')]);
  expect(matches).toEqual([
    { start: 0, end: 5 },
    { start: 10, end: 13 },
  ]);
  expect(isMatched({ start: 3, end: 5 }, matches)).toBe(true);
  expect(isMatched({ start: 3, end: 6 }, matches)).toBe(false);
  expect(isMatched({ start: 10, end: 13 }, matches)).toBe(true);
  expect(isMatched({ start: 6, end: 9 }, matches)).toBe(false);
});
