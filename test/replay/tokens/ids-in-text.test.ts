import { describe, expect, it } from 'vitest';
import { idSpans, isLikelyId, isTime, KnownValues, wordWith } from '../../../src/replay/tokens/ids-in-text.ts';

const idsIn = (text: string) => idSpans(text).map(({ start, end }) => text.slice(start, end));
const knownIn = (values: string[], text: string) =>
  new KnownValues(values).spansIn(text).map(({ start, end }) => text.slice(start, end));

it.each([
  ['ord_8f3a', true],
  ['12345', true],
  ['1234', false],
  ['aBcDefGh', true],
  ['aBcDefG', false],
  ['markdown', false],
  ['Markdown', false],
  ['order 12345', false],
])('%s alone is an id: %s', (text, expected) => {
  expect(isLikelyId(text)).toBe(expected);
});

it.each([
  ['Order ord_8f3a for tea', ['ord_8f3a']],
  ['{"id":"aBcDefGhijKlAbCd","name":"Markdown"}', ['aBcDefGhijKlAbCd']],
  ['0a0b0c0d-1111-2222-3333-444455556666!', ['0a0b0c0d-1111-2222-3333-444455556666']],
  ['12 of 34 are done', []],
])('the ids in %s are found by their form', (text, expected) => {
  expect(idsIn(text)).toEqual(expected);
});

describe('a known value', () => {
  it.each([
    ['h-m8eIfnRhUP6j3K', 'Cart h-m8eIfnRhUP6j3K is new.'],
    ['T/ucA1jqjLb+P9j2ow==', 'id=T/ucA1jqjLb+P9j2ow==, kept'],
    ['xaBc/12ab34cd', '{"id":"xaBc/12ab34cd"}'],
    ['aBcDefGhijKlAbCd', 'order:aBcDefGhijKlAbCd'],
    ['4711-0815', 'no. 4711-0815'],
  ])('%s is found as a whole in %s', (value, text) => {
    expect(knownIn([value], text)).toEqual([value]);
  });

  it.each([
    ['12345', 'costs 12345.67'],
    ['12345', 'x12345'],
    ['ord_8f3a', 'ord_8f3a61'],
    ['0a0b0c0d', 'is 0a0b0c0d-1111-2222-3333-444455556666'],
    ['2026-11-28', 'at 2026-11-28T10:00:00Z'],
  ])('%s is not found as a part of the value in %s', (value, text) => {
    expect(knownIn([value], text)).toEqual([]);
  });

  it('is found as often as it is there, and beside others', () => {
    expect(knownIn(['ord_8f3a', 'ord_8f3b', 'sess-ord_8f3a'], 'ord_8f3b, sess-ord_8f3a, ord_8f3a')).toEqual([
      'ord_8f3b',
      'sess-ord_8f3a',
      'ord_8f3a',
      'ord_8f3a',
    ]);
    expect(knownIn([], 'ord_8f3b')).toEqual([]);
  });

  it('is found in a long text in little time', () => {
    const values = Array.from({ length: 5_000 }, (_, index) => `ord_${10_000 + index}`);
    expect(knownIn(values, values.join(' '))).toEqual(values);
    expect(knownIn(values, 'ord_1'.repeat(100_000))).toEqual([]);
  });
});

it('the word of a text that contains an id has what stands beside it without a blank', () => {
  expect(wordWith('see https://host/orders/ord_8f3a61c0/items.', 'ord_8f3a61c0')).toBe(
    'https://host/orders/ord_8f3a61c0/items',
  );
  expect(wordWith('Order (ord_8f3a61c0), bye', 'ord_8f3a61c0')).toBe('ord_8f3a61c0');
  expect(wordWith('no order', 'ord_8f3a61c0')).toBe('ord_8f3a61c0');
});

it('a date, a time or a duration is no id', () => {
  for (const time of ['2026-11-29', '12:30:00', '12ms', '2026-11-29T12:30:00Z']) expect(isTime(time)).toBe(true);
  for (const id of ['ord_8f3a61c0', '1234', 'a416b297-2c7e-4d15-9c00-6a5b4c3d2e1f']) expect(isTime(id)).toBe(false);
});
