import { expect, it } from 'vitest';
import { notUpdated } from '../../../src/verify/update/cassette-not-updated-error.ts';

it('says that the cassette is as it was', () => {
  const { code, message } = notUpdated('cassette.yaml:3', 'this request was not answered');
  expect(code).toBe('CASSETTE_NOT_UPDATED');
  expect(message).toMatch(/^Cannot update cassette\.yaml:3: this request was not answered\./);
  expect(message).toContain('The cassette is as it was.');
});
