import { expect, it } from 'vitest';
import { fitsSchema } from '../../../src/contract/schema/fits-schema.ts';

it.each([
  [{ type: 'object', required: ['n'], properties: { n: { type: 'number' } } }, true],
  [{ type: 'object', required: ['n'], properties: { n: { type: 'string' } } }, false],
  [{ type: 'object', required: ['m'] }, false],
  // A schema that cannot be used explains nothing.
  [{ type: 'nothing' }, false],
])('a value fits the schema %o: %s', (schema, fits) => {
  expect(fitsSchema({ n: 1 }, schema)).toBe(fits);
});
