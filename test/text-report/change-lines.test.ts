import { expect, it } from 'vitest';
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
