import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FAULTS } from '../../src/faults/fault-table.ts';
import type { Fields } from '../../src/kernel/validate-fields.ts';
import { EXPECTATIONS, RULE, SCENARIO } from '../../src/scenario/scenario-keys.ts';
import { mappingOf, schemaText } from '../support/field-schema.ts';

const root = join(import.meta.dirname, '..', '..');

function ruleOf([name, { doc, params }]: [string, { doc: string; params: Fields }]): object {
  const fields = Object.entries(params).map(([key, param]): [string, Fields[string]] => [
    key,
    'fallback' in param ? param : { ...param, required: true },
  ]);
  const when = { type: 'object' };
  return mappingOf(
    { ...RULE, ...Object.fromEntries(fields) },
    { do: { const: name, description: doc }, when, probability: { type: 'number', minimum: 0, maximum: 1 } },
  );
}

const playable = [...FAULTS].filter(([, { transports }]) => transports.some((one) => one !== 'memory'));
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A scenario of mcp-record',
  ...mappingOf(SCENARIO, {
    faults: { items: { oneOf: playable.map(ruleOf) } },
    expect: { items: { oneOf: Object.values(EXPECTATIONS).map((fields) => mappingOf(fields)) } },
  }),
};

it('the JSON Schema is what the code says', async () => {
  await expect(schemaText(schema)).toMatchFileSnapshot('../../schema/scenario-1.json');
});

describe('the JSON Schema', () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
  const page = readFileSync(join(root, 'docs', 'scenarios.md'), 'utf8');
  const example = () => parse(/^```yaml\n([\s\S]*?)^```/m.exec(page)![1]!) as Record<string, unknown>;

  it('takes the example of the page', () => {
    expect([validate(example()), validate.errors]).toEqual([true, null]);
  });

  it.each([
    ['an unknown key', { expct: [] }],
    ['a side that is none', { play: 'both' }],
    ['an unknown fault', { faults: [{ do: 'dorp' }] }],
    ['a parameter of another fault', { faults: [{ do: 'drop', delay: 5 }] }],
    ['a missing parameter', { faults: [{ do: 'latency' }] }],
    ['an expectation of two things', { expect: [{ call: 'ping', ends: 'fails', fault: 1 }] }],
    ['an end that is none', { expect: [{ call: 'ping', ends: 'fail' }] }],
  ])('does not take %s', (_, change) => expect(validate({ ...example(), ...change })).toBe(false));
});
