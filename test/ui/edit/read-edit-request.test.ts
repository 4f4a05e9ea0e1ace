import { expect, it } from 'vitest';
import { BodyObject } from '../../../src/mock/control/body-object.ts';
import { readEditRequest } from '../../../src/ui/edit/read-edit-request.ts';

const REQUEST = { line: 1, part: 0, before: '{}', text: '', version: '1', save: false };
const read = (value: object) => readEditRequest(new BodyObject({ value, path: [] }, Object.keys(REQUEST)));

it('a request is read', () => {
  expect(read(REQUEST)).toEqual(REQUEST);
});

it.each([
  ['/part', { ...REQUEST, part: 0.5 }],
  ['/line', { ...REQUEST, line: '1' }],
  ['/save', { ...REQUEST, save: 1 }],
  ['/before', { ...REQUEST, before: '1' }],
  ['/before', { ...REQUEST, before: 'x' }],
  ['/text', { ...REQUEST, text: 1 }],
  ['/version', { ...REQUEST, version: undefined }],
])('an error names the member: %s', (pointer, body) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'CONTROL_BAD_VALUE', pointer }));
});
