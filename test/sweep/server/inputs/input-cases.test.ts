import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { type InputCase, inputCases } from '../../../../src/sweep/server/inputs/input-cases.ts';
import { INPUT_KINDS } from '../../../../src/sweep/server/inputs/input-kinds.ts';
import { argumentsText } from '../../../../src/sweep/server/inputs/serialize-arguments.ts';
import type { ListedTool } from '../../../../src/sweep/server/inputs/tools-listed-in-cassette.ts';

const tool = (inputSchema: unknown, recorded: readonly unknown[] = []): ListedTool => ({
  name: 'tool',
  inputSchema,
  isReadOnly: true,
  isDestructive: false,
  position: 1,
  line: 7,
  recorded,
});
const casesOf = (one: ListedTool, seed = 1) =>
  inputCases({ tools: [one], kinds: [...INPUT_KINDS.keys()], seed, file: 'cassette.yaml' });
const textsOf = (points: readonly InputCase[], kind: string) =>
  points.find(({ fault }) => fault === kind)?.inputs.map(({ args }) => argumentsText(args)) ?? [];

const SCHEMAS: readonly [title: string, schema: Record<string, unknown>][] = [
  ['no properties', { type: 'object' }],
  ['closed properties', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }],
  [
    'bounds',
    {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 2, maxLength: 5 },
        code: { type: 'string', pattern: '^[A-Z]{3}$' },
        whole: { type: 'integer', minimum: -3, exclusiveMaximum: 10 },
        real: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
        list: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2, uniqueItems: true },
        choice: { enum: ['a', 'b', 3] },
        fixed: { const: 'yes' },
      },
      required: ['text', 'whole'],
    },
  ],
  [
    'references and alternatives',
    {
      type: 'object',
      $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
      properties: {
        from: { $ref: '#/$defs/point' },
        to: { anyOf: [{ $ref: '#/$defs/point' }, { type: 'null' }] },
        either: {
          oneOf: [
            { type: 'string', maxLength: 3 },
            { type: 'integer', minimum: 5 },
          ],
        },
        all: { allOf: [{ type: 'string' }, { minLength: 4 }] },
      },
      required: ['from'],
    },
  ],
  [
    'a list of objects',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        parts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { size: { type: 'number', minimum: 1 } },
            required: ['size'],
            additionalProperties: false,
          },
        },
      },
      required: ['parts'],
    },
  ],
];

describe.each(SCHEMAS)('a schema with %s', (_, schema) => {
  it.each([1, 2, 3])('forbids and allows what another validator does, with seed %s', (seed) => {
    const draft = schema.$schema === undefined ? '2020-12' : '7';
    const validator = new Validator(schema as never, draft);
    const { points, problems } = casesOf(tool(schema), seed);
    expect(problems).toEqual([]);
    const wrong = points.flatMap(({ kind, inputs }) =>
      inputs
        .filter(({ args }) => validator.validate(JSON.parse(argumentsText(args) ?? '{}')).valid === kind.isForbidden)
        .map(({ args }) => `${kind.name} ${argumentsText(args)}`),
    );
    expect(wrong).toEqual([]);
    expect(points.some(({ kind }) => kind.isForbidden)).toBe(true);
    expect(points.some(({ kind }) => !kind.isForbidden)).toBe(true);
  });
});

describe('arguments', () => {
  const [, bounds] = SCHEMAS[2]!;

  it('are the same with the same seed, and others with another', () => {
    const all = (seed: number) => casesOf(tool(bounds), seed).points.map(({ fault, inputs }) => [fault, inputs]);
    expect(all(1)).toEqual(all(1));
    expect(all(1)).not.toEqual(all(2));
  });

  it('of each kind that a schema has are tried', () => {
    const { points } = casesOf(tool(bounds));
    const closed = casesOf(tool(SCHEMAS[1]![1])).points;
    const kinds = new Set([...points, ...closed].map(({ fault }) => fault));
    expect([...kinds].sort()).toEqual([...INPUT_KINDS.keys()].sort());
  });

  it('are those of a recorded call where they are not about another place', () => {
    const recorded = [{ text: 'real', whole: 4 }];
    const texts = textsOf(casesOf(tool(bounds, recorded)).points, 'out-of-range');
    expect(texts.slice(0, 2)).toEqual(['{"text":"real","whole":-4}', '{"text":"real","whole":10}']);
  });

  it('have edge values: empty, NUL, -0, 2^53, 1e308, and long and deep ones', () => {
    const schema = {
      type: 'object',
      properties: { s: { type: 'string' }, n: { type: 'number' }, o: { type: 'object' } },
    };
    const { points } = casesOf(tool(schema));
    expect(textsOf(points, 'edge-strings')).toEqual(
      expect.arrayContaining(['{"s":""}', '{"s":"\\u0000"}', JSON.stringify({ s: 'a'.repeat(100_000) })]),
    );
    expect(textsOf(points, 'edge-numbers')).toEqual(
      expect.arrayContaining(['{"n":0}', '{"n":-0}', '{"n":9007199254740992}', '{"n":1e+308}']),
    );
    expect(textsOf(points, 'edge-structures')).toEqual(expect.arrayContaining([undefined, '{}', '{"o":{}}']));
    expect(textsOf(points, 'edge-structures').some((text) => (text?.split('{').length ?? 0) > 100)).toBe(true);
  });

  it('stay near a pattern that could take long', () => {
    const schema = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } }, required: ['s'] };
    const { points } = casesOf(tool(schema));
    const longest = Math.max(
      ...points.flatMap(({ inputs }) => inputs.map(({ args }) => argumentsText(args)?.length ?? 0)),
    );
    expect(longest).toBeLessThan(100);
  });
});

describe('a schema that is none', () => {
  it.each([
    ['no object', 'text', 'is not an object'],
    ['a boolean', true, 'is not an object'],
    ['absent', undefined, 'is not an object'],
    ['of no object', { type: 'string' }, 'does not have "type": "object"'],
    ['no JSON Schema', { type: 'object', properties: [] }, 'is no valid JSON Schema'],
    ['with a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/no' } } }, 'is no valid JSON Schema'],
    [
      'with a reference to elsewhere',
      { type: 'object', properties: { a: { $ref: 'other.json' } } },
      'is no valid JSON Schema',
    ],
    ['that allows nothing', { type: 'object', not: {} }, 'no arguments were found'],
  ])('is said: %s', (_, schema, why) => {
    const { points, problems } = casesOf(tool(schema));
    expect(points).toEqual([]);
    expect(problems.map(({ code, problem }) => [code, problem.place])).toEqual([
      ['SWEEP_BAD_SCHEMA', { file: 'cassette.yaml', line: 7 }],
    ]);
    expect(problems[0]!.message).toContain(why);
  });
});
