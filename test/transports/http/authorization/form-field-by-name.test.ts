import { expect, it } from 'vitest';
import { formField, mapFormField } from '../../../../src/transports/http/authorization/form-field-by-name.ts';

it.each([
  ['resource=a', 'resource=A'],
  ['code=x%2By&resource=a%2Fb&resource=c&state=a+b', 'code=x%2By&resource=A%2FB&resource=C&state=a+b'],
  ['%72esource=a', 'resource=A'],
  ['resource=A&a=%7e', 'resource=A&a=%7e'],
  ['xresource=a', 'xresource=a'],
  ['', ''],
])('of %j a changed field is %j, and the rest is as it was written', (form, expected) => {
  expect(mapFormField(form, 'resource', (value) => value.toUpperCase())).toBe(expected);
});

it('a field is absent, or has a value', () => {
  expect([formField('a=1&b=', 'b'), formField('a=1', 'b')]).toEqual(['', undefined]);
});
