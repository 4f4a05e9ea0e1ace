import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaChanges } from '../../../src/contract/schema/compare-schemas.ts';
import type { Direction } from '../../../src/contract/schema/schema-direction.ts';

const said = (recorded: unknown, live: unknown, direction: Direction = 'input') =>
  schemaChanges({ recorded, live, direction, path: '' }).map(({ severity, reason }) => `${severity}: ${reason}`);

const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

describe('schemaChanges', () => {
  it.each<[string, unknown, unknown, string[], string[]]>([
    [
      'a removed property',
      object({ a: text }),
      object({}),
      ['breaking: argument "a" was removed'],
      ['breaking: field "a" was removed'],
    ],
    [
      'a new optional property',
      object({}),
      object({ a: text }),
      ['compatible: new optional argument "a"'],
      ['compatible: new optional field "a"'],
    ],
    [
      'a new required property',
      object({}),
      object({ a: text }, 'a'),
      ['breaking: new required argument "a"'],
      ['compatible: new required field "a"'],
    ],
    [
      'a property that is now required',
      object({ a: text }),
      object({ a: text }, 'a'),
      ['breaking: argument "a" is now required'],
      ['compatible: field "a" is now required'],
    ],
    [
      'a property that is no longer required',
      object({ a: text }, 'a'),
      object({ a: text }),
      ['compatible: argument "a" is no longer required'],
      ['breaking: field "a" is no longer required'],
    ],
    [
      'a removed property that was required',
      object({ a: text }, 'a'),
      object({}),
      ['breaking: argument "a" was removed'],
      ['breaking: field "a" was removed'],
    ],
    [
      'a requirement of a property that is not described',
      {},
      { required: ['a'] },
      ['breaking: argument "a" is now required'],
      ['compatible: field "a" is now required'],
    ],
    [
      'fewer values',
      { enum: ['x', 'y'] },
      { enum: ['x'] },
      ['breaking: value "y" is no longer allowed'],
      ['compatible: value "y" is no longer allowed'],
    ],
    [
      'more values',
      { enum: ['x'] },
      { enum: ['x', 'y'] },
      ['compatible: value "y" is now allowed'],
      ['breaking: value "y" is now allowed'],
    ],
    [
      'another constant',
      { const: 1 },
      { const: 2 },
      ['breaking: value 1 is no longer allowed', 'compatible: value 2 is now allowed'],
      ['compatible: value 1 is no longer allowed', 'breaking: value 2 is now allowed'],
    ],
    [
      'a wider type',
      { type: 'integer' },
      { type: 'number' },
      ['compatible: type "number" is now allowed'],
      ['breaking: type "number" is now allowed'],
    ],
    [
      'a narrower type',
      { type: ['string', 'null'] },
      { type: 'string' },
      ['breaking: type "null" is no longer allowed'],
      ['compatible: type "null" is no longer allowed'],
    ],
    [
      'a tighter bound',
      { minLength: 1 },
      { minLength: 2 },
      ['breaking: minLength 1 → 2'],
      ['compatible: minLength 1 → 2'],
    ],
    [
      'another alternative',
      { anyOf: [{ type: 'string' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      ['compatible: alternative {"type":"null"} is now allowed'],
      ['breaking: alternative {"type":"null"} is now allowed'],
    ],
    [
      'a closed object',
      {},
      { additionalProperties: false },
      ['breaking: additionalProperties nothing → false'],
      ['compatible: additionalProperties nothing → false'],
    ],
    [
      'an opened object',
      { additionalProperties: false },
      { additionalProperties: true },
      ['compatible: additionalProperties false → true'],
      ['breaking: additionalProperties false → true'],
    ],
    ['a new keyword', {}, { pattern: 'x' }, ['breaking: pattern nothing → "x"'], ['compatible: pattern nothing → "x"']],
    [
      'a keyword less',
      { format: 'uri' },
      {},
      ['compatible: format "uri" → nothing'],
      ['breaking: format "uri" → nothing'],
    ],
    [
      'another keyword',
      { pattern: 'x' },
      { pattern: 'y' },
      ['breaking: pattern "x" → "y"'],
      ['breaking: pattern "x" → "y"'],
    ],
    ['another default', { default: 1 }, { default: 2 }, ['compatible: default 1 → 2'], ['compatible: default 1 → 2']],
    [
      'other words',
      { description: 'x' },
      { description: 'y' },
      ['cosmetic: description changed'],
      ['cosmetic: description changed'],
    ],
    [
      'no schema at all',
      { type: 'string' },
      false,
      ['breaking: the schema is another'],
      ['breaking: the schema is another'],
    ],
  ])('judges %s', (_what, recorded, live, input, output) => {
    expect(said(recorded, live)).toEqual(input);
    expect(said(recorded, live, 'output')).toEqual(output);
  });

  it.each<[string, unknown, unknown]>([
    ['an enum without values', { enum: ['a', 'b'] }, { enum: [] }],
    ['an enum that is no list', { enum: ['a', 'b'] }, { enum: {} }],
    ['an enum that was no list', { enum: 'a' }, { enum: ['a'] }],
    ['a new enum without values', {}, { enum: [] }],
    ['alternatives that are no list', { anyOf: [text] }, { anyOf: text }],
    ['no alternative', { oneOf: [text] }, { oneOf: [] }],
    ['no type', { type: 'string' }, { type: [] }],
    ['names that are no list', { required: ['a'] }, { required: 'a' }],
    ['names that are no texts', { required: ['a'] }, { required: [1] }],
    ['names that were no list', { required: 'a' }, {}],
    ['an unknown keyword that is gone', { nullable: true }, {}],
    ['an unknown keyword that is new', {}, { nullable: true }],
    [
      'patterns that exempted names from additionalProperties',
      { patternProperties: { '^x': text }, additionalProperties: false },
      { additionalProperties: false },
    ],
    [
      'patterns that exempt names from additionalProperties',
      { additionalProperties: false },
      { patternProperties: { '^x': text }, additionalProperties: false },
    ],
    [
      'items that were exempt from items',
      { prefixItems: [text], items: { type: 'number' } },
      { items: { type: 'number' } },
    ],
    ['items that are no longer counted', { contains: text, minContains: 0 }, { contains: text, minContains: 'x' }],
    [
      'alternatives that evaluated properties',
      { anyOf: [{ properties: { a: text } }], unevaluatedProperties: false },
      { unevaluatedProperties: false },
    ],
    [
      'other properties that were evaluated',
      { additionalProperties: true, unevaluatedProperties: false },
      { unevaluatedProperties: false },
    ],
    ['a reference, beside which older drafts ignore all else', { $ref: '#/$defs/A', minLength: 5 }, { minLength: 5 }],
  ])('calls %s breaking for all callers', (_what, recorded, live) => {
    expect(said(recorded, live)).toEqual([expect.stringMatching(/^breaking: /)]);
    expect(said(recorded, live, 'output')).toEqual([expect.stringMatching(/^breaking: /)]);
  });

  it.each<[string, unknown, unknown]>([
    ['patterns that exempt from nothing', { patternProperties: { '^x': text } }, {}],
    ['items that are exempt from nothing', { prefixItems: [text] }, {}],
    ['a reference alone', { $ref: '#/$defs/A', description: 'a' }, { description: 'a' }],
    ['the items that a list must contain', { contains: text, minContains: 2 }, { contains: text }],
    [
      'a type beside unevaluated properties',
      { type: 'object', unevaluatedProperties: false },
      { unevaluatedProperties: false },
    ],
  ])('calls %s a limit less', (_what, recorded, live) => {
    expect(said(recorded, live)).toEqual([expect.stringMatching(/^compatible: /)]);
    expect(said(recorded, live, 'output')).toEqual([expect.stringMatching(/^breaking: /)]);
  });

  it('calls an alternative of oneOf breaking if it may share values with another one', () => {
    const oneOf = (...list: unknown[]) => ({ oneOf: list });
    const [number, integer] = [{ type: 'number' }, { type: 'integer' }];
    expect(said(oneOf(number, text), oneOf(number, text, integer))).toEqual([
      'breaking: alternative {"type":"integer"} is now allowed',
    ]);
    expect(said(oneOf(number, integer), oneOf(number), 'output')).toEqual([
      'breaking: alternative {"type":"integer"} is no longer allowed',
    ]);
    expect(said({ anyOf: [number] }, { anyOf: [number, integer] })).toEqual([
      'compatible: alternative {"type":"integer"} is now allowed',
    ]);
    expect(said(oneOf(number), oneOf(number, text))).toEqual([
      'compatible: alternative {"type":"string"} is now allowed',
    ]);
    expect(said(oneOf(number, text), oneOf(text, number))).toEqual(['cosmetic: the order of the alternatives changed']);
    expect(said(oneOf(text), oneOf(text, text))).toEqual([expect.stringMatching(/^breaking: /)]);
  });

  it('names the properties on the way to a change, and points at it', () => {
    const within = (unit: unknown) => object({ 'a/b': object({ list: { items: unit } }) });
    const [change] = schemaChanges({
      recorded: within({ type: 'string' }),
      live: within({ type: 'number' }),
      direction: 'input',
      path: '/result/tools/0/inputSchema',
    });
    expect(change).toEqual({
      severity: 'breaking',
      path: '/result/tools/0/inputSchema/properties/a~1b/properties/list/items/type',
      reason: 'argument "a/b": argument "list": type "string" is no longer allowed',
    });
  });

  it('takes no schema, true and {} for the same', () => {
    expect(said({ additionalProperties: true }, {})).toEqual([]);
    expect(said({ additionalProperties: {} }, { additionalProperties: true })).toEqual([]);
  });

  it('follows definitions, and passes over those that nothing names', () => {
    const defs = (a: unknown) => ({ $defs: { A: a } });
    expect(said(defs({ type: 'string' }), defs({ type: 'number' }))[0]).toMatch(/^breaking/);
    expect(said({ $defs: {} }, defs(text))).toEqual(['cosmetic: definition "A" is new']);
    expect(said(defs(text), { $defs: {} })).toEqual(['cosmetic: definition "A" was removed']);
  });

  it('does not take what every object inherits for properties', () => {
    const inherited = JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{}}}');
    expect(said(inherited, inherited)).toEqual([]);
    expect(said({ properties: {} }, inherited)).toEqual([
      'compatible: new optional argument "__proto__"',
      'compatible: new optional argument "constructor"',
    ]);
  });

  it('finds nothing in a schema that did not change, and judges any other', () => {
    const whateverOf = (value: unknown) => JSON.stringify((value as { whatever?: unknown }).whatever);
    const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '/');
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof({ maxDepth: 2, depthIdentifier: 'schema' }, fc.constantFrom({}, true, false), tie('object')),
      object: fc.record(
        {
          type: fc.constantFrom('string', 'object', ['string', 'null']),
          properties: fc.dictionary(name, tie('schema'), { maxKeys: 2 }),
          required: fc.array(name, { maxLength: 2 }),
          items: tie('schema'),
          enum: fc.uniqueArray(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
          minimum: fc.integer(),
          additionalProperties: fc.boolean(),
          $defs: fc.dictionary(name, tie('schema'), { maxKeys: 2 }),
          whatever: fc.jsonValue({ maxDepth: 1 }),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    }));
    fc.assert(
      fc.property(schema, schema, fc.boolean(), (recorded, live, isInput) => {
        expect(said(recorded, structuredClone(recorded))).toEqual([]);
        const changes = said(recorded, live, isInput ? 'input' : 'output');
        for (const change of changes) expect(change).toMatch(/^(breaking|compatible|cosmetic): ./);
        if (whateverOf(recorded) !== whateverOf(live)) expect(changes).not.toEqual([]);
      }),
    );
  });
});
