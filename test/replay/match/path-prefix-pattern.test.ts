import { expect, it } from 'vitest';
import { compileLinear } from '../../../src/kernel/linear-regex.ts';
import { rulesAsWritten, without } from '../../../src/match/ignore-rules.ts';
import { pathPrefixPattern, writtenExpression } from '../../../src/replay/match/path-prefix-pattern.ts';

it.each([
  ['two checkouts', '/srv/ada/shop/data/tea.txt', '/opt/ci/shop/data/tea.txt', '^.*[\\\\/]shop[\\\\/]'],
  ['Windows', 'C:\\ada\\shop\\tea.txt', '/opt/shop/tea.txt', '^.*[\\\\/]shop[\\\\/]'],
  ['URLs', 'file:///opt/a.b/shop/tea', 'file:///srv/shop/tea', '^.*[\\\\/]shop[\\\\/]'],
  ['checkouts of other names', '/srv/ada/shop/notes', '/opt/ci/workspace/notes', '^.*[\\\\/](?:shop|workspace)[\\\\/]'],
  ['a file of the root', '/tea.txt', '/opt/tea.txt', undefined],
  ['another file', '/srv/ada/shop/tea.txt', '/srv/ada/shop/milk.txt', undefined],
  ['relative paths', 'ada/shop/tea.txt', 'ci/shop/tea.txt', undefined],
  ['a word', '/srv/ada/shop/tea.txt', 'tea', undefined],
  ['a number', 1, 2, undefined],
])('the pattern for %s', (_, recorded, live, expected) => {
  expect(pathPrefixPattern(recorded, live)).toBe(expected);
});

it('leaves the rest of the path to compare, as a pattern and as a rule of a cassette', () => {
  const [one, two] = ['/srv/ada/shop/data/tea.txt', '/opt/ci/shop/data/tea.txt'];
  const source = pathPrefixPattern(one, two)!;
  for (const rules of [rulesAsWritten([writtenExpression(source)]), [new RegExp(source)]])
    expect([one, two, '/opt/ci/shop/data/milk.txt'].map((path) => without(path, rules))).toEqual([
      '[ignored]data/tea.txt',
      '[ignored]data/tea.txt',
      '[ignored]data/milk.txt',
    ]);
  expect(compileLinear(source).matches(two)).toHaveLength(1);
});
