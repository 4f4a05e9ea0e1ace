import { expect, it } from 'vitest';
import {
  countOf,
  failedSteps,
  headlineAndDetails,
  type Outcome,
  placeOfStep,
} from '../../src/text-report/outcome-model.ts';

const outcome: Outcome = {
  title: 'verify',
  file: 'cassette.yaml',
  steps: [
    { title: 'a', line: 1, status: 'passed' },
    { title: 'b', line: 2, status: 'failed' },
    { title: 'c', status: 'failed' },
  ],
  notes: [],
  duration: 0,
};

it('counts steps by how they ended', () => {
  expect([countOf(outcome, 'passed'), countOf(outcome, 'failed'), countOf(outcome, 'skipped')]).toEqual([1, 2, 0]);
  expect(failedSteps(outcome).map(({ title }) => title)).toEqual(['b', 'c']);
});

it('places a step at its line, or at the cassette', () => {
  expect(outcome.steps.map((step) => placeOfStep(step, 'cassette.yaml'))).toEqual([
    'cassette.yaml:1',
    'cassette.yaml:2',
    'cassette.yaml',
  ]);
});

it('the list of the closest requests is a detail, and no end of a headline', () => {
  expect(headlineAndDetails('no recorded call matches. Closest:\n    a.yaml:3 ping\n  Mend it.')).toEqual({
    headline: 'no recorded call matches.',
    details: ['Closest:', '    a.yaml:3 ping', '  Mend it.'],
  });
  expect(headlineAndDetails('It never fired.')).toEqual({ headline: 'It never fired.', details: [] });
});
