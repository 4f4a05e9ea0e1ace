import { describe, expect, it } from 'vitest';
import { type Fields, fieldProblem } from '../../src/kernel/validate-fields.ts';

const FIELDS: Fields = {
  cassette: {
    doc: 'the cassette to play',
    wanted: 'text',
    required: true,
    read: (value) => (typeof value === 'string' ? value : undefined),
  },
  seed: { doc: 'what chance draws from', wanted: 'a number', read: (value) => (value === 0 ? value : undefined) },
};

describe('what people write under known keys', () => {
  it('has no problem where all is as it should be, a zero too', () => {
    expect(fieldProblem({ cassette: 'a.yaml', seed: 0 }, FIELDS, [])).toBeUndefined();
  });

  it.each([
    ['a list', [], { path: ['at'], why: 'it is not a mapping', next: 'Write keys and values: cassette, seed.' }],
    ['a key that is nearly known', { casette: 'a' }, { path: ['at', 'casette'], next: 'Did you mean "cassette"?' }],
    ['another key', { zzzzzzzzzz: 'a' }, { path: ['at', 'zzzzzzzzzz'], next: 'It may have: cassette, seed.' }],
    ['a name that every object has', { toString: 'a' }, { why: 'nothing is called "toString" here' }],
    [
      'a value of another type',
      { cassette: 5 },
      { path: ['at', 'cassette'], why: '"cassette" is 5', next: 'It has to be text: the cassette to play.' },
    ],
    [
      'a missing key',
      { seed: 0 },
      { path: ['at'], why: '"cassette" is missing', next: 'Write text: the cassette to play.' },
    ],
  ])('says the place of %s, and what to write', (_, value, problem) => {
    expect(fieldProblem(value, FIELDS, ['at'])).toMatchObject(problem);
  });
});
