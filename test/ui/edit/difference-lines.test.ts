import { expect, it } from 'vitest';
import { differenceLines } from '../../../src/ui/edit/difference-lines.ts';

const shown = (before: object, after: object) =>
  differenceLines(JSON.stringify(before), JSON.stringify(after)).map(
    ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`,
  );

it('equal values have no difference', () => {
  expect(shown({ a: 1 }, { a: 1 })).toEqual([]);
});

it('a change is shown with two lines around it', () => {
  const before = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 };
  expect(shown(before, { ...before, d: 'x\ny' })).toEqual([
    '   b: 2',
    '   c: 3',
    '-  d: 4',
    '+  d: |-',
    '+    x',
    '+    y',
    '   e: 5',
    '   f: 6',
  ]);
});

it('an empty value differs from one with members, and hidden characters are shown', () => {
  expect(shown({}, { a: '\u202e' })).toEqual(['- {}', '+  a: \\u202e']);
});
