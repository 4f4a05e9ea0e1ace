import { expect, it } from 'vitest';
import { hungSummary, type Verdict } from '../../../src/sweep/client/verdict.ts';

const results = (...verdicts: Verdict[]) => verdicts.map((verdict) => ({ verdict }));

it('names the likely cause where most points hung, and the next step', () => {
  const text = hungSummary(results('hung', 'passed', 'hung', 'hung'), 16_154.4);
  expect(text).toMatch(/^3 of 4 points hung: .*than the 16154 ms of a run.* 60 s by default.*--deadline/);
});

it.each([
  ['half of them hung', results('hung', 'hung', 'hung', 'passed', 'reported', 'lied')],
  ['two hung', results('hung', 'hung')],
  ['none was run', []],
])('says nothing where %s', (_, all) => {
  expect(hungSummary(all, 1)).toBeUndefined();
});
