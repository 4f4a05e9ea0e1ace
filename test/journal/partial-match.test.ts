import { describe, expect, it } from 'vitest';
import {
  describeMismatches,
  isExpectedObject,
  matchesExpected,
  nearest,
  textOf,
} from '../../src/journal/partial-match.ts';

const rain = { name: 'add', arguments: { city: 'Rain City', days: 2, tags: ['a', { k: 1, l: 2 }], gone: null } };

/** How Jest and sinon write theirs: no class of this test runner. */
const even = { asymmetricMatch: (value: unknown) => Number(value) % 2 === 0, toString: () => 'Even' };

describe('a value is as wanted', () => {
  it.each([
    ['it has the members, and others', { name: 'add' }],
    ['members of members have them', { arguments: { days: 2 } }],
    ['nothing is wanted', {}],
    ['each item of a list has them, in any order of keys', { arguments: { tags: ['a', { l: 2, k: 1 }] } }],
    ['items may have other members', { arguments: { tags: ['a', { k: 1 }] } }],
    ['a regular expression is found in a text', { arguments: { city: /rain/i } }],
    ['a global expression is found each time', { arguments: { city: /n/g } }],
    ['a matcher of the runner says so', { name: expect.any(String), arguments: { days: expect.closeTo(2) } }],
    ['a matcher of another library says so', { arguments: { days: even } }],
    ['a matcher says so of all', expect.objectContaining({ name: 'add' })],
    ['a member is absent that is wanted as undefined', { arguments: { unit: undefined } }],
    ['null is null', { arguments: { gone: null } }],
  ])('where %s', (_, wanted) => {
    expect([matchesExpected(rain, wanted), matchesExpected(rain, wanted)]).toEqual([true, true]);
  });

  it('where it is the text of a date', () => {
    expect(matchesExpected({ at: '2026-01-01T00:00:00.000Z' }, { at: new Date('2026-01-01') })).toBe(true);
  });
});

describe('a value is not as wanted', () => {
  it.each([
    ['a member differs', { name: 'sub' }, '/name is "add", not "sub"'],
    ['a member is absent', { title: 'x' }, '/title is absent, not "x"'],
    ['what every object inherits is no member', { constructor: Object }, '/constructor is absent, not Object'],
    ['a member is there that is wanted as undefined', { name: undefined }, '/name is "add", not absent'],
    ['a list is longer', { arguments: { tags: ['a'] } }, '/arguments/tags is ["a",{"k":1,"l":2}], not ["a"]'],
    ['an item differs', { arguments: { tags: ['a', { k: 2 }] } }, '/arguments/tags/1/k is 1, not 2'],
    ['a list is no object', { arguments: { tags: {} } }, '/arguments/tags is ["a",{"k":1,"l":2}], not {}'],
    ['an object is no list', { arguments: [] }, /^\/arguments is \{.*\}, not \[\]$/],
    ['null is no object', { arguments: { gone: {} } }, '/arguments/gone is null, not {}'],
    ['an expression is not found', { arguments: { city: /snow/ } }, '/arguments/city is "Rain City", not /snow/'],
    ['an expression is for texts alone', { arguments: { days: /2/ } }, '/arguments/days is 2, not /2/'],
    ['a matcher says so', { name: expect.any(Number) }, '/name is "add", not Any<Number>'],
    [
      'a member is absent of which a matcher says less',
      { x: expect.not.stringMatching(/y/) },
      '/x is absent, not StringNotMatching /y/',
    ],
    [
      'a matcher of another library says so',
      { arguments: { days: { ...even, asymmetricMatch: () => false } } },
      '/arguments/days is 2, not Even',
    ],
    [
      'a matcher only promises to say',
      { name: { asymmetricMatch: async () => true, toString: () => 'Late' } },
      '/name is "add", not Late',
    ],
    ['a number is none', { arguments: { gone: Number.NaN } }, '/arguments/gone is null, not NaN'],
    ['a map is never JSON', { arguments: new Map() }, /not \[object Map\]$/],
    ['a name has a slash', { 'a/b': 1 }, '/a~1b is absent, not 1'],
  ])('where %s', (_, wanted, said) => {
    expect(matchesExpected(rain, wanted)).toBe(false);
    expect(describeMismatches(rain, wanted)).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
  });

  it('is said of three places, and of the number of the others', () => {
    const wanted = { a: 1, b: 2, c: 3, d: 4, e: 'x'.repeat(500) };
    expect(describeMismatches({}, wanted)).toBe(
      '/a is absent, not 1; /b is absent, not 2; /c is absent, not 3; and 2 more differ',
    );
    expect(describeMismatches({}, { e: wanted.e })).toMatch(/^\/e is absent, not "x{79}…$/);
  });
});

it('the nearest value is the one with the fewest places that differ', () => {
  const [other, near] = [{ name: 'sub' }, { name: 'add', arguments: { a: 1 } }];
  expect(nearest([other, near, {}], { name: 'add', arguments: { a: 2 } })).toBe(near);
  expect(nearest([], {})).toBeUndefined();
});

it('what is wanted is written as JSON, with expressions and matchers as people write them', () => {
  const wanted = { name: /^a/i, arguments: { list: [expect.any(Number), even], text: 'x', at: new Date(0) } };
  expect(textOf(wanted)).toBe(
    '{"name":/^a/i,"arguments":{"list":[Any<Number>,Even],"text":"x","at":"1970-01-01T00:00:00.000Z"}}',
  );
  expect(textOf(expect.objectContaining({ a: expect.anything() }))).toBe('ObjectContaining {"a":Anything}');
});

it('an object is wanted by its members or by a matcher, and by nothing else', () => {
  for (const wanted of [{}, { a: 1 }, Object.create(null), expect.objectContaining({})])
    expect(isExpectedObject(wanted)).toBe(true);
  for (const wanted of ['add', 7, null, undefined, [], /add/, new Map(), new Date()])
    expect(isExpectedObject(wanted)).toBe(false);
});
