import { expect, it } from 'vitest';
import { notUpdated } from '../../../src/verify/update/update-trouble.ts';

it('says that the cassette is as it was', () => {
  const { code, message } = notUpdated('tape.yaml:3', 'this request was not answered');
  expect(code).toBe('TAPE_NOT_UPDATED');
  expect(message).toMatch(/^Cannot update tape\.yaml:3: this request was not answered\./);
  expect(message).toContain('The cassette is as it was.');
});
