import { expect, it } from 'vitest';
import { violations } from '../../../../src/html-report/browser/details/validate-against-schema.ts';

const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'array', items: { enum: ['x'] } } },
  required: ['a'],
  additionalProperties: false,
};
const places = (value: unknown) =>
  violations(schema, value)?.map(({ instanceLocation, keyword }) => [instanceLocation, keyword]);

it('names each place of a value that violates a schema', () => {
  expect(places({ a: 1, b: ['x'] })).toEqual([]);
  expect(places({ a: '1', b: ['x', 'y'] })).toEqual([
    ['#/a', 'type'],
    ['#/b/1', 'enum'],
  ]);
  expect(places({})).toEqual([['#', 'required']]);
  expect(places({ a: 1, c: 2 })).toContainEqual(['#', 'additionalProperties']);
});

it('a schema is checked by the draft that it names', () => {
  const tuple = { type: 'array', items: [{ type: 'number' }, { type: 'string' }] };
  expect(violations({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }, [1, 2])).toHaveLength(1);
  expect(violations({ type: 'array', prefixItems: tuple.items }, [1, 2])).toHaveLength(1);
});

it('patterns and formats of somebody else do not keep it busy', () => {
  const evil = { type: 'string', pattern: '^(a+)+$', format: 'uri' };
  expect(violations(evil, `${'a'.repeat(50)}!`)).toEqual([]);
  expect(violations({ patternProperties: { '^(a+)+$': {} } }, {})).toBeUndefined();
});

it.each([{ $ref: '#' }, { $ref: '#/nowhere' }, { allOf: 7 }])('%j cannot be checked, and does no harm', (broken) => {
  expect(() => violations(broken, {})).not.toThrow();
});
