import { describe, expect, it } from 'vitest';
import { withDefaultsAsRecorded } from '../../src/contract/spelled-out-defaults.ts';
import { request } from '../support/conversation.ts';

const call = request(1, 'tools/call', { name: 'a' });
const list = request(1, 'tools/list');
const of = (result: object) => ({ jsonrpc: '2.0', id: 1, result });
const tool = (annotations?: object) => of({ tools: [{ name: 'a', ...(annotations && { annotations }) }] });

describe('a default that only one side spells out', () => {
  it.each([
    ['isError: false', call, of({ content: [] }), of({ content: [], isError: false })],
    ['hints beside others', list, tool({ title: 'A' }), tool({ title: 'A', readOnlyHint: false, openWorldHint: true })],
    ['hints alone', list, tool(), tool({ destructiveHint: true, idempotentHint: false })],
    ['no hints', list, tool(), tool({})],
  ])('is no difference: %s', (_, asked, without, spelled) => {
    expect(withDefaultsAsRecorded(asked, without, spelled)).toEqual(without);
    expect(withDefaultsAsRecorded(asked, spelled, without)).toEqual(spelled);
  });

  it.each([
    ['isError: true', call, of({ content: [] }), of({ content: [], isError: true })],
    ['isError: null', call, of({ content: [] }), of({ content: [], isError: null })],
    ['a hint that is no default', list, tool(), tool({ readOnlyHint: true })],
    ['a new tool', list, of({ tools: [] }), tool({ readOnlyHint: false })],
    ['a result of another method', request(1, 'acme/a'), of({}), of({ isError: false })],
    ['structured content', call, of({ structuredContent: {} }), of({ structuredContent: { isError: false } })],
  ])('stays a difference: %s', (_, asked, before, after) => {
    expect(withDefaultsAsRecorded(asked, before, after)).toEqual(after);
    if (asked !== list) expect(withDefaultsAsRecorded(asked, after, before)).toEqual(before);
  });

  it('leaves an error, and what is no message', () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } };
    expect(withDefaultsAsRecorded(call, of({}), error)).toBe(error);
    expect(withDefaultsAsRecorded(call, undefined, error)).toBe(error);
    expect(withDefaultsAsRecorded(list, of({}), of({ tools: 1 }))).toEqual(of({ tools: 1 }));
  });
});
