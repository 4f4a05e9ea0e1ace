import { describe, expect, it } from 'vitest';
import { newlyInvalid } from '../../src/contract/newly-invalid-definitions.ts';
import { ExactNumber } from '../../src/match/exact-json-value.ts';
import type { Request } from '../../src/protocol/message.ts';
import { META } from '../../src/protocol/meta.ts';
import { request } from '../support/conversation.ts';

const said = (asked: unknown, before: unknown, after: unknown) =>
  newlyInvalid(asked as Request, before, after).map(({ severity, reason, path }) => `${severity}: ${reason} (${path})`);
const list = request(1, 'tools/list');
const tools = (before: unknown[], after: unknown[]) => said(list, { tools: before }, { tools: after });
const object = { type: 'object' };
const a = { name: 'a', inputSchema: object };

describe('newlyInvalid', () => {
  it.each<[string, object, string]>([
    ['no input schema', { inputSchema: undefined }, "must have required property 'inputSchema' (/result/tools/0)"],
    [
      'an input schema of several types',
      { inputSchema: { type: ['object', 'null'] } },
      'inputSchema.type must be string (/result/tools/0/inputSchema/type)',
    ],
    [
      'an input schema without a type',
      { inputSchema: { properties: {} } },
      "inputSchema must have required property 'type' (/result/tools/0/inputSchema)",
    ],
    [
      'a description that is no text',
      { description: null },
      'description must be string (/result/tools/0/description)',
    ],
    ['a title that is no text', { title: 5 }, 'title must be string (/result/tools/0/title)'],
    [
      'a hint that is no boolean',
      { annotations: { readOnlyHint: 'yes' } },
      'annotations.readOnlyHint must be boolean (/result/tools/0/annotations/readOnlyHint)',
    ],
    ['icons without a source', { icons: [{}] }, "icons.0 must have required property 'src' (/result/tools/0/icons/0)"],
    [
      'an output schema that no validator takes',
      { outputSchema: { type: 'object', properties: { p: { enum: [] } } } },
      'outputSchema cannot be used: enum must have non-empty array (/result/tools/0/outputSchema)',
    ],
    [
      'a definition that is gone',
      { inputSchema: { ...object, properties: { p: { $ref: '#/$defs/A' } }, $defs: {} } },
      'inputSchema refers to #/$defs/A, which it does not have (/result/tools/0/inputSchema)',
    ],
  ])('calls %s breaking, in a tool that was valid', (_, members, change) => {
    const now = JSON.parse(JSON.stringify({ ...a, ...members }));
    const found = tools([a], [now]);
    expect(found[0]).toBe(`breaking: tool "a" is not valid any more: ${change}`);
    expect(tools([now], [{ ...now, name: 'a', extra: 1 }])).toEqual([]);
    expect(tools([now], [a])).toEqual([]);
    expect(tools([a], [a, { ...now, name: 'b' }])[0]).toMatch(/^breaking: tool "b" is not valid: /);
  });

  it('lets a new item break what an old one broke', () => {
    const [b, c] = [{ name: 'b' }, { name: 'c' }];
    expect(tools([a, b], [a, b, c])).toEqual([]);
    expect(tools([a, b], [{ name: 'a' }, b])).toHaveLength(1);
  });

  it('judges patterns of arguments by the loose rules, and those of results by the strict ones', () => {
    const loose = { ...object, properties: { p: { pattern: '[\\w-.]' } } };
    expect(tools([a], [{ ...a, inputSchema: loose }])).toEqual([]);
    expect(tools([a], [{ ...a, outputSchema: loose }])).toHaveLength(1);
  });

  it('knows prompts, resources and templates', () => {
    const lists = (method: string, field: string, item: object) =>
      said(request(1, method), { [field]: [] }, { [field]: [item] });
    expect(lists('prompts/list', 'prompts', { name: 'p', arguments: {} })).toEqual([
      'breaking: prompt "p" is not valid: arguments must be array (/result/prompts/0/arguments)',
    ]);
    expect(lists('resources/list', 'resources', { uri: 'x:a', name: 'a', size: 'big' })).toHaveLength(1);
    expect(lists('resources/templates/list', 'resourceTemplates', { uriTemplate: 'x:{a}' })).toHaveLength(1);
  });

  it('judges what each revision says', () => {
    const now = { ...a, outputSchema: { type: 'array' } };
    const modern = request(1, 'tools/list', { _meta: { [META.protocolVersion]: '2026-07-28' } });
    expect(tools([a], [now])).toHaveLength(1);
    expect(said(modern, { tools: [a] }, { tools: [now] })).toEqual([]);
    expect(said(list, { tools: [a], resultType: 'complete' }, { tools: [now] })).toEqual([]);
  });

  it('judges introductions', () => {
    const was = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's' } };
    const { serverInfo: _, ...is } = was;
    expect(said(request(1, 'initialize'), was, { ...is, instructions: 1 })).toEqual([
      "breaking: the introduction is not valid any more: must have required property 'serverInfo' (/result)",
      'breaking: the introduction is not valid any more: instructions must be string (/result/instructions)',
    ]);
    // The version is never compared, so that neither side has it.
    expect(said(request(1, 'initialize'), was, { ...was, instructions: 'a' })).toEqual([]);
    const discovered = { supportedVersions: ['2026-07-28'], capabilities: {} };
    expect(said(request(1, 'server/discover'), discovered, { capabilities: {} })).toHaveLength(1);
  });

  it('takes a placeholder for a value of any type, and large numbers for numbers', () => {
    expect(tools([a], [{ ...a, annotations: { readOnlyHint: '[redacted:word:1]' } }])).toEqual([]);
    const bounds = { minimum: new ExactNumber('9007199254740993'), maximum: new ExactNumber('1e400') };
    expect(tools([a], [{ ...a, inputSchema: { ...object, properties: { n: bounds } } }])).toEqual([]);
  });

  it('has nothing to say of other lists', () => {
    expect(said(request(1, 'skills/list'), { skills: [] }, { skills: [{ name: 1 }] })).toEqual([]);
    expect(said(request(1, 'ping'), {}, { a: 1 })).toEqual([]);
  });
});
