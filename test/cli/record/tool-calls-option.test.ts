import { describe, expect, it } from 'vitest';
import { requireTools, toolCallsFrom } from '../../../src/cli/record/tool-calls-option.ts';

const SERVER = ['node', 'server.js'];

describe('--call', () => {
  it.each([
    ['add {"a": 1}', { name: 'add', arguments: '{"a": 1}' }],
    [' add\n{"a": {"b": "} {"}} ', { name: 'add', arguments: '{"a": {"b": "} {"}}' }],
    ['add{"a":1e400}', { name: 'add', arguments: '{"a":1e400}' }],
    ['add', { name: 'add', arguments: '{}' }],
    ['list all', { name: 'list all', arguments: '{}' }],
  ])('names a tool, and its arguments: %s', (text, call) => {
    expect(toolCallsFrom([text], SERVER)).toEqual([call]);
  });

  it.each([
    ['', 'it does not begin with the name of a tool'],
    ['{"a":1}', 'it does not begin with the name of a tool'],
    ['add {"a": }', 'its arguments are no JSON object'],
    ['add {"a":1} {"a":2}', 'its arguments are no JSON object'],
    ['add [1]', '"add" is not followed by a JSON object'],
    ['add 5', '"add" is not followed by a JSON object'],
    ['add "a" {}', '"add" is not followed by a JSON object'],
  ])('is refused with its reason, and without its arguments: %s', (text, why) => {
    const problem = expect.objectContaining({ why, what: expect.not.stringContaining('{') });
    expect(() => toolCallsFrom([text], SERVER)).toThrow(expect.objectContaining({ code: 'USAGE_BAD_CALL', problem }));
  });

  it('is refused where a shell took its arguments for the command of the server', () => {
    expect(() => toolCallsFrom(['add'], ['{"a":1}', '--', 'node'])).toThrow('a word of their own');
    expect(toolCallsFrom([], ['{weird}'])).toEqual([]);
  });

  it('needs a tool that the server lists', () => {
    const calls = toolCallsFrom(['add', 'wether'], SERVER);
    const tools = [{ name: 'add' }, { name: 'weather' }];
    expect(() => requireTools(calls, tools)).toThrow('no tool "wether": did you mean "weather"?');
    expect(() => requireTools(calls, [])).toThrow('it lists no tools');
    expect(() => requireTools(calls, [...tools, { name: 'wether' }])).not.toThrow();
    const many = Array.from({ length: 12 }, (_, n) => ({ name: `other-${n}` }));
    expect(() => requireTools(calls, many)).toThrow('other-9 and 2 more');
  });
});
