import { expect, it } from 'vitest';
import { readEditRequest } from '../../../src/ui/edit/read-edit-request.ts';

const REQUEST = { line: 1, part: 0, before: '{}', text: '', version: '1', save: false };

it('a request is read', () => {
  expect(readEditRequest(JSON.stringify(REQUEST))).toEqual(REQUEST);
});

it.each([
  { ...REQUEST, part: 0.5 },
  { ...REQUEST, save: 1 },
  { ...REQUEST, before: '1' },
  { ...REQUEST, version: undefined },
  null,
])('%j is none', (body) => {
  expect(() => readEditRequest(JSON.stringify(body))).toThrow(/UI_BAD_EDIT/);
});
