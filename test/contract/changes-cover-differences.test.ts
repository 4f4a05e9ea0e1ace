import { describe, expect, it } from 'vitest';
import { coversAllDifferences } from '../../src/contract/changes-cover-differences.ts';
import { contractChanges } from '../../src/contract/contract-changes.ts';
import { call, request } from '../support/conversation.ts';

const list = request(1, 'tools/list');
const covers = (recorded: unknown, live: unknown, asked: unknown = list) =>
  coversAllDifferences({ request: asked, recorded, live, changes: contractChanges(asked, recorded, live) });
const tools = (...items: unknown[]) => ({ result: { tools: items } });
const schema = (properties: object, more: object = {}) => ({ inputSchema: { type: 'object', properties, ...more } });
const text = { type: 'string' };
const [a, b] = [
  { name: 'a', ...schema({ x: text }) },
  { name: 'b', ...schema({ y: text }) },
];

describe('coversAllDifferences', () => {
  it.each<[string, unknown, unknown]>([
    ['a removed tool', tools(a, b), tools(b)],
    ['a removed tool, and another change', tools(a, b), tools({ ...b, description: 'B' })],
    ['a renamed tool', tools(a, b), tools({ ...a, name: 'c' }, b)],
    ['a new tool', tools(a), tools(b, a)],
    ['another order', tools(a, b), tools(b, a)],
    ['a new argument', tools(a), tools({ ...a, ...schema({ x: text, y: text }) })],
    ['a new required argument', tools(a), tools({ ...a, ...schema({ x: text, y: text }, { required: ['y'] }) })],
    [
      'a removed required argument',
      tools({ ...a, ...schema({ x: text, y: text }, { required: ['y', 'x'] }) }),
      tools({ ...a, ...schema({ x: text }, { required: ['x'] }) }),
    ],
    [
      'another order of required arguments',
      tools({ ...a, ...schema({ x: text, y: text }, { required: ['y', 'x'] }) }),
      tools({ ...a, ...schema({ x: text, y: text }, { required: ['x', 'y'] }) }),
    ],
    [
      'additionalProperties that is true in place of nothing',
      tools(a),
      tools({ ...a, ...schema({ x: text }, { additionalProperties: true }), description: 'A' }),
    ],
    ['a new output schema', tools(a), tools({ ...a, outputSchema: { type: 'object', properties: { x: text } } })],
    ['new annotations', tools(a), tools({ ...a, annotations: { readOnlyHint: true, title: 'A' } })],
    ['an empty member that is new', tools(a), tools({ ...a, annotations: {} })],
    [
      'required that is no list, which is breaking',
      tools({ ...a, ...schema({ x: text }, { required: 'x' }) }),
      tools({ ...a, ...schema({ x: text }, { required: 'y' }), description: 'A' }),
    ],
    ['text that is suspicious', tools(a), tools({ ...a, description: 'a\u200b' })],
  ])('is true of %s', (_, recorded, live) => {
    expect(covers(recorded, live)).toBe(true);
  });

  it('is true of an introduction, and of the arguments of a prompt', () => {
    const said = (capabilities: object) => ({ result: { capabilities } });
    expect(
      covers(said({ tools: {} }), said({ tools: { listChanged: true }, logging: {} }), request(1, 'initialize')),
    ).toBe(true);
    const prompt = (...args: string[]) => ({
      result: { prompts: [{ name: 'p', arguments: args.map((name) => ({ name })) }] },
    });
    expect(covers(prompt('x'), prompt('y'), request(1, 'prompts/list'))).toBe(true);
    expect(covers(prompt('x', 'y'), prompt('y', 'x'), request(1, 'prompts/list'))).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['no change at all', tools(a), tools(a)],
    ['a member of the result', tools(a, b), { result: { tools: [a], ttlMs: 5 } }],
    ['an empty member of the result', tools(a, b), { result: { tools: [a], extra: {} } }],
    ['a member beside the result', tools(a, b), { result: { tools: [a] }, extra: 1 }],
    ['an error', tools(a, b), { error: { code: -1, message: 'no' } }],
    ['items of the same name', tools(a, a, b), tools(a, { ...a, description: 'other' })],
    ['an item that is none', tools(a, 1), tools({ ...a, description: 'other' }, 2)],
    [
      'a member that no rule compares, beside one that a rule does',
      tools({ ...a, _meta: { ui: { permissions: { camera: { x: 1 } } } } }),
      tools({ ...a, description: 'A', _meta: { ui: { permissions: { camera: { x: 2 } } } } }),
    ],
    [
      'the same where the place of a removed tool is around it',
      tools(b, { ...a, _meta: { ui: { permissions: { camera: { x: 1 } } } } }),
      tools({ ...a, _meta: { ui: { permissions: { camera: { x: 2 } } } } }),
    ],
  ])('is false of %s', (_, recorded, live) => {
    expect(covers(recorded, live)).toBe(false);
  });

  it('is false of answers that no rule judges', () => {
    expect(covers({ result: { a: 1 } }, { result: { a: 2 } }, call(1, 'add'))).toBe(false);
  });

  it('is true of a file of a skill that is described otherwise, which is breaking', () => {
    const skill = (mimeType: string) => ({
      result: { skill: { uri: 'skill://a', resources: [{ uri: 'skill://a', digest: 'd', size: 1, mimeType }] } },
    });
    const [before, after] = [skill('text/plain'), skill('text/html')];
    expect(contractChanges(request(1, 'skills/get'), before, after)).toMatchObject([{ severity: 'breaking' }]);
    expect(covers(before, after, request(1, 'skills/get'))).toBe(true);
  });
});
