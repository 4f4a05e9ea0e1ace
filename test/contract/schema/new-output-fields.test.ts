import { describe, expect, it } from 'vitest';
import { newOutputFields } from '../../../src/contract/schema/new-output-fields.ts';
import { call } from '../../support/conversation.ts';

type Members = Record<string, unknown>;

const schema = (properties: Members, more: Members = {}): Members => ({ type: 'object', properties, ...more });
const OLD = schema({ city: { type: 'string' } }, { required: ['city'] });
const NEW = schema({ city: { type: 'string' }, wind: { type: 'number' } }, { required: ['city'] });

const tools = (outputSchema: unknown) => ({ result: { tools: [{ name: 'weather', outputSchema }] } });
const said = (structuredContent: unknown, text = JSON.stringify(structuredContent), more: Members = {}) => ({
  id: 1,
  result: { content: [{ type: 'text', text }], structuredContent, ...more },
});

const changes = (before: [schema: unknown, answer: unknown], after: [schema: unknown, answer: unknown]) => {
  const [recorded, live] = [before, after].map(([outputSchema, answer]) => ({
    compared: answer,
    received: answer,
    tools: tools(outputSchema),
  }));
  return newOutputFields(call(1, 'weather'), recorded!, live!);
};

describe('a field that the new outputSchema has, too,', () => {
  it('is a compatible change, in the structured content and its JSON text', () => {
    expect(changes([OLD, said({ city: 'Oslo' })], [NEW, said({ city: 'Oslo', wind: 3 })])).toEqual([
      {
        severity: 'compatible',
        path: '/result/structuredContent/wind',
        reason: 'new field "wind" of the structured content, which the outputSchema has now',
      },
      { severity: 'compatible', path: '/result/content/0/text', reason: 'the same in its JSON text' },
    ]);
  });

  it('may be in a text with other spaces, in the items of a list, and behind a reference', () => {
    const spaced = said({ city: 'Oslo', wind: 3 }, '{ "city": "Oslo",\n "wind": 3 }');
    expect(changes([OLD, said({ city: 'Oslo' })], [NEW, spaced])).toHaveLength(2);
    const days = (day: Members) => schema({ days: { type: 'array', items: day } });
    const [before, after] = [{ days: [{ city: 'Oslo' }] }, { days: [{ city: 'Oslo', wind: 3 }] }];
    expect(changes([days(OLD), said(before, 'ok')], [days(NEW), said(after, 'ok')])).toMatchObject([
      { path: '/result/structuredContent/days/0/wind' },
    ]);
    const referring = (day: Members) =>
      schema({ days: { type: 'array', items: { $ref: '#/$defs/day' } } }, { $defs: { day } });
    expect(changes([referring(OLD), said(before, 'ok')], [referring(NEW), said(after, 'ok')])).toHaveLength(1);
  });
});

describe('everything else is not explained:', () => {
  const before = said({ city: 'Oslo' });
  const after = { city: 'Oslo', wind: 3 };
  const open = { additionalProperties: true };

  it.each<[what: string, before: [unknown, unknown], after: [unknown, unknown]]>([
    ['a removed field', [NEW, said(after)], [NEW, before]],
    ['a changed field', [OLD, before], [NEW, said({ ...after, city: 'Rome' })]],
    ['a field that the new schema does not have', [OLD, before], [OLD, said(after)]],
    ['a field that additionalProperties allow', [OLD, before], [{ ...OLD, ...open }, said(after)]],
    ['a field that both schemas have', [NEW, before], [NEW, said(after)]],
    ['a field of another type than promised', [OLD, before], [NEW, said({ ...after, wind: 'much' })]],
    [
      'a field that the old additionalProperties limit',
      [{ ...OLD, additionalProperties: { type: 'string' } }, before],
      [NEW, said(after)],
    ],
    [
      'a field that the old patternProperties limit',
      [{ ...OLD, patternProperties: { w: {} } }, before],
      [NEW, said(after)],
    ],
    ['a second field that the schema does not have', [OLD, before], [NEW, said({ ...after, rain: 1 })]],
    ['no schema before', [undefined, before], [NEW, said(after)]],
    ['no schema now', [OLD, before], [undefined, said(after)]],
    ['another text', [OLD, said({ city: 'Oslo' }, 'Oslo')], [NEW, said(after, 'Oslo, 3')]],
    ['a text with another value', [OLD, before], [NEW, said(after, '{"city":"Rome","wind":3}')]],
    ['a text that was no JSON', [OLD, said({ city: 'Oslo' }, 'Oslo')], [NEW, said(after)]],
    ['another member of the result', [OLD, before], [NEW, said(after, undefined, { isError: true })]],
    [
      'one more item of a list',
      [schema({ l: { type: 'array' } }), said({ l: [1] })],
      [schema({ l: { type: 'array' }, wind: {} }), said({ l: [1, 2] })],
    ],
    ['an error', [OLD, before], [NEW, { id: 1, error: { code: 1, message: 'x' } }]],
  ])('%s', (_what, one, other) => {
    expect(changes(one, other)).toEqual([]);
  });

  it('a call of another tool', () => {
    const answer = { compared: before, received: before, tools: tools(OLD) };
    const live = { compared: said(after), received: said(after), tools: tools(NEW) };
    expect(newOutputFields(call(1, 'tides'), answer, live)).toEqual([]);
  });
});
