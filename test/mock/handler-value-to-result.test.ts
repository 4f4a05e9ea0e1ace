import { describe, expect, it } from 'vitest';
import { promptResult, resourceResult, toolFailure, toolResult } from '../../src/mock/handler-value-to-result.ts';

const text = (said: string) => ({ type: 'text', text: said });

describe('what a handler of a tool returns', () => {
  it.each([
    ['a text', 'yes', { content: [text('yes')] }],
    ['an empty text', '', { content: [text('')] }],
    ['a number', 5, { content: [text('5')] }],
    ['a yes', true, { content: [text('true')] }],
    ['content blocks', [text('a'), text('b')], { content: [text('a'), text('b')] }],
    ['no content blocks', [], { content: [] }],
    ['structured content', { sum: 3 }, { content: [text('{"sum":3}')], structuredContent: { sum: 3 } }],
    ['a whole result', { content: [], isError: true }, { content: [], isError: true }],
    ['a result without content', { isError: true }, { content: [], isError: true }],
    ['a result of its own kind', { resultType: 'task', taskId: 't' }, { content: [], resultType: 'task', taskId: 't' }],
    ['nothing', undefined, undefined],
    ['null', null, undefined],
    ['a function', () => {}, undefined],
    ['a symbol', Symbol('a'), undefined],
    ['texts', ['a'], undefined],
  ])('%s', (_, value, result) => {
    expect(toolResult(value)).toEqual(result);
  });

  it('an error that it throws', () => {
    expect(toolFailure(new Error('over quota'))).toEqual({ content: [text('over quota')], isError: true });
  });
});

describe('what a handler of a resource returns', () => {
  const uri = 'test://a';
  it.each([
    ['a text', 'yes', { contents: [{ uri, text: 'yes' }] }],
    ['bytes', new Uint8Array([104, 105]), { contents: [{ uri, blob: 'aGk=' }] }],
    ['contents', [{ uri, text: 'a' }], { contents: [{ uri, text: 'a' }] }],
    ['a whole result', { contents: [] }, { contents: [] }],
    ['a result of its own kind', { resultType: 'task' }, { resultType: 'task' }],
    ['another object', { text: 'a' }, undefined],
    ['texts', ['a'], undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_, value, result) => {
    expect(resourceResult(uri, undefined, value)).toEqual(result);
  });

  it('has its type', () => {
    expect(resourceResult(uri, 'text/plain', 'a')).toEqual({ contents: [{ uri, mimeType: 'text/plain', text: 'a' }] });
  });
});

describe('what a handler of a prompt returns', () => {
  const messages = [{ role: 'user', content: text('Hi') }];
  it.each([
    ['a text', 'Hi', { messages }],
    ['messages', messages, { messages }],
    ['a whole result', { description: 'd', messages }, { description: 'd', messages }],
    ['a result of its own kind', { resultType: 'task' }, { resultType: 'task' }],
    ['another object', { text: 'a' }, undefined],
    ['texts', ['a'], undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_, value, result) => {
    expect(promptResult(value)).toEqual(result);
  });
});
