import { expect, it } from 'vitest';
import { fateText } from '../../../src/html-report/browser/format.ts';
import type { Item } from '../../../src/html-report/data/report-data-types.ts';

const call: Item = { id: 'line-1', line: 1, at: 0, from: 'client', kind: 'request', what: 'tools/call "a"' };

it.each([
  [{ fate: 'answered', took: 40 }, '✓ 40 ms'],
  [{ fate: 'error', took: 40 }, '✗ error, 40 ms'],
  [{ fate: 'cancelled', took: 700 }, '⊘ cancelled, 700 ms'],
  [{ fate: 'cancelled', took: 0 }, '⊘ cancelled'],
  [{ fate: 'pending' }, '… never answered'],
  [{}, ''],
] as const)('the outcome %j is told as "%s"', (outcome, text) => {
  expect(fateText({ ...call, ...outcome })).toBe(text);
});

it('while a session grows, a call without an answer is in flight', () => {
  expect(fateText({ ...call, fate: 'pending' }, true)).toBe('… in flight');
});
