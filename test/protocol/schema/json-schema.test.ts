import { expect, it } from 'vitest';
import {
  compileDefinitions,
  compileJsonSchema,
  compileWholeDefinitions,
  createSchemaProblem,
} from '../../../src/protocol/schema/json-schema.ts';

const weather = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    unit: { enum: ['C', 'F'] },
    days: { type: 'array', items: { $ref: '#/$defs/day' } },
    'a/b': { const: 1 },
  },
  required: ['city'],
  additionalProperties: false,
  $defs: { day: { type: 'integer', minimum: 1 } },
};

it('says each thing in which a value breaks a schema, with its path', () => {
  const check = compileJsonSchema(weather);
  expect(check({ city: 'Oslo', unit: 'C', days: [1, 2] })).toEqual([]);
  expect(check({ unit: 'K', days: [1, 0, 'x'], town: 'Oslo', 'a/b': 2 })).toEqual([
    "must have required property 'city'",
    'must NOT have additional properties: town',
    'unit: must be equal to one of the allowed values: "C", "F"',
    'days.1: must be >= 1',
    'days.2: must be integer',
    'a/b: must be equal to constant',
  ]);
  expect(check([])).toEqual(['must be object']);
});

it('says of a schema that refers to itself without end that no value fits', () => {
  const endless = { type: 'object', properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#/properties/a' }] };
  expect(compileJsonSchema(endless)({})).toEqual([expect.stringContaining('refers to itself without end')]);
});

it('is of 2020-12, or of the older draft that is named', () => {
  const pair = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
  expect(compileJsonSchema(pair)(['a', 'b'])).not.toEqual([]);
  const older = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'string' }] };
  expect(compileJsonSchema(older)([1])).toEqual(['0: must be string']);
  expect(compileJsonSchema(older)(['a', 1])).toEqual([]);
});

it('two schemas may have one name', () => {
  const named = { $id: 'https://example.com/a', type: 'string' };
  expect([compileJsonSchema(named)('a'), compileJsonSchema({ ...named, type: 'number' })(1)]).toEqual([[], []]);
});

it.each([
  ['no type of JSON', { type: 'strin' }],
  ['a reference to nothing', { $ref: '#/$defs/none' }],
  ['a reference to another place', { $ref: 'https://example.com/schema.json' }],
  ['an expression that is none', { type: 'string', pattern: '(' }],
])('throws for %s', (_, schema) => {
  expect(() => compileJsonSchema(schema)('a')).toThrow();
});

it.each(['$defs', 'definitions'])(
  'checks one definition of %s, and says what the alternative that was meant breaks',
  (keyword) => {
    const $schema =
      keyword === '$defs' ? 'https://json-schema.org/draft/2020-12/schema' : 'http://json-schema.org/draft-07/schema#';
    const text = {
      type: 'object',
      properties: { type: { const: 'text' }, text: { type: 'string' } },
      required: ['type', 'text'],
    };
    const list = { type: 'array', items: { anyOf: [{ $ref: `#/${keyword}/Text` }, { type: 'number' }] } };
    const check = compileDefinitions({ $schema, [keyword]: { Text: text, List: list } });
    expect(check('List')?.([1, { type: 'text', text: 'a' }])).toBeUndefined();
    expect(check('List')?.([1, { type: 'text', text: 7 }])).toEqual({
      path: '/1/text',
      value: 7,
      why: 'must be string',
    });
    expect(check('None')).toBeUndefined();
  },
);

it('returns all violations of a definition', () => {
  const Day = { type: 'object', properties: { n: { type: 'integer' } }, required: ['name'] };
  const breaches = compileWholeDefinitions({ $defs: { Day } });
  expect(breaches('Day', { n: 1, name: 'a' })).toEqual([]);
  expect(breaches('Day', { n: 'x' }).map(({ path, why }) => `${path} ${why}`)).toEqual([
    " must have required property 'name'",
    '/n must be integer',
  ]);
  expect(breaches('None', {})).toEqual([]);
});

it('says why schemas cannot be compiled, each by itself', () => {
  const problemOf = createSchemaProblem();
  const named = { $id: 'https://example.com/a', type: 'string' };
  expect([named, { ...named, type: 'number' }, named, weather].map(problemOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(problemOf({ $ref: '#/$defs/none' })).toContain("can't resolve reference #/$defs/none");
  expect(problemOf({ enum: [] })).toBe('enum must have non-empty array');
  expect(problemOf({ required: 'a' })).toContain('required must be array');
  expect(problemOf({ items: [{}] })).toContain('items must be');
  expect(problemOf({ $schema: 'http://json-schema.org/draft-07/schema#', items: [{}] })).toBeUndefined();
  expect(problemOf({ $schema: 'http://json-schema.org/draft-04/schema#' })).toContain('draft-04');
  const tree = { properties: { next: { $ref: '#' } } };
  for (const $schema of [undefined, 'http://json-schema.org/draft-07/schema#'])
    expect([tree, { $schema, ...tree }, { $id: 'https://example.com/b', ...tree }].map(problemOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  const loose = { pattern: '^[\\w-.]+$' };
  expect(problemOf(loose)).toContain('Invalid regular expression');
  expect(createSchemaProblem({ unicodeRegExp: false })(loose)).toBeUndefined();
});
