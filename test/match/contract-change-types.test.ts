import { expect, it } from 'vitest';
import { type Change, type FailOn, failsOn, SEVERITIES, type Severity } from '../../src/match/contract-change-types.ts';

const change = (severity: Severity, usedBy?: Change['usedBy']): Change => ({
  severity,
  path: '/result',
  reason: 'changed',
  ...(usedBy && { usedBy }),
});
const user = { file: 'a.yaml', line: 1, uses: 1 };

it.each<[FailOn, Change[], boolean]>([
  ['any', [change('cosmetic')], true],
  ['breaking', [change('cosmetic'), change('compatible')], false],
  ['breaking', [change('compatible'), change('breaking')], true],
  ['breaking', [change('suspicious')], true],
  ['breaking', [change('breaking', [])], true],
  ['used', [change('breaking', [])], false],
  ['used', [change('breaking', [user])], true],
  ['used', [change('breaking', 'unknown')], true],
  ['used', [change('breaking')], true],
  ['used', [change('suspicious', [])], true],
])('--fail-on %s of %j fails: %s', (failOn, changes, fails) => {
  expect(failsOn(failOn, { changes, hasAllChanges: true })).toBe(fails);
});

it('what no rule judges fails, whatever is asked for', () => {
  expect(failsOn('breaking', { changes: [change('cosmetic')] })).toBe(true);
  expect(failsOn('used', { changes: [], hasAllChanges: true })).toBe(true);
  expect(failsOn('breaking', {})).toBe(true);
});

it('the worst severity is the first', () => {
  expect([SEVERITIES[0], SEVERITIES.at(-1)]).toEqual(['breaking', 'cosmetic']);
});
