import { expect, it } from 'vitest';
import { headlineAndDetails } from '../../src/text-report/headline-and-details.ts';

it('the list of the closest requests is a detail, and no end of a headline', () => {
  expect(headlineAndDetails('no recorded call matches. Closest:\n    a.yaml:3 ping\n  Mend it.')).toEqual({
    headline: 'no recorded call matches.',
    details: ['Closest:', '    a.yaml:3 ping', '  Mend it.'],
  });
  expect(headlineAndDetails('It never fired.')).toEqual({ headline: 'It never fired.', details: [] });
});
