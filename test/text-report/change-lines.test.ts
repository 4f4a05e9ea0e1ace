import { expect, it } from 'vitest';
import type { Change } from '../../src/match/contract-change-types.ts';
import { changeLines } from '../../src/text-report/change-lines.ts';

it('says the severity, the change and its place, a line each', () => {
  const changes = [
    { severity: 'breaking', path: '/result/tools/0', reason: 'tool "a" was removed' },
    { severity: 'cosmetic', path: '/result/tools', reason: 'the order of the tools changed' },
  ] as const;
  expect(changeLines(changes)).toEqual([
    'breaking: tool "a" was removed (/result/tools/0)',
    'cosmetic: the order of the tools changed (/result/tools)',
  ]);
});

it('says below a change who uses what it breaks', () => {
  const user = (file: string) => ({ file, line: 3, uses: 1 });
  const change = (usedBy: Change['usedBy']) =>
    changeLines([{ severity: 'breaking', path: '', reason: 'x', ...(usedBy && { usedBy }) }]).slice(1);
  expect(change(undefined)).toEqual([]);
  expect(change([])).toEqual(['  used by none of the cassettes']);
  expect(change('unknown')).toEqual(['  cassettes do not show whether this is used']);
  expect(
    change([
      { ...user('a.yaml'), client: 'editor 1' },
      { ...user('b.yaml'), uses: 4 },
    ]),
  ).toEqual(['  used by a.yaml:3 (editor 1), b.yaml:3 (4 times)']);
  expect(change(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(user))).toEqual([
    '  used by a:3, b:3, c:3, d:3, e:3 and 2 more',
  ]);
});
