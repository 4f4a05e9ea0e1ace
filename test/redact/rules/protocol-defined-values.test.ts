import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { isObject } from '../../../src/protocol/message.ts';
import { REVISIONS } from '../../../src/protocol/revisions.ts';
import { definitionsOf, readProtocolSchema } from '../../../src/protocol/schema/protocol-schema.ts';
import { createRedactor, type RedactionRules } from '../../../src/redact/redactor.ts';
import { isProtocolWord } from '../../../src/redact/rules/protocol-defined-values.ts';

function redact(message: object, ...rules: NonNullable<RedactionRules['rules']>): unknown {
  return createRedactor({ env: {}, rules }).json(new JsonText(JSON.stringify(message))).value;
}
const tool = { name: 'weather', inputSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const NAME = { key: 'name' };

describe('a rule for a key leaves what the protocol defines', () => {
  it.each<[string, object]>([
    ['the tool of a call', { id: 1, method: 'tools/call', params: { name: 'weather', arguments: {} } }],
    ['a prompt', { method: 'prompts/get', id: 1, params: { name: 'hello' } }],
    ['the method after the params', { id: 1, params: { name: 'weather' }, method: 'tools/call' }],
    ['a client', { id: 0, method: 'initialize', params: { clientInfo: { name: 'app', version: '1' } } }],
    [
      'a client of 2026-07-28',
      { id: 1, method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'app' } } } },
    ],
    ['a server', { id: 0, result: { serverInfo: { name: 'weather', version: '1' } } }],
    ['a listed tool, and a property of its schema', { id: 1, result: { tools: [tool] } }],
    ['a listed prompt with its arguments', { id: 1, result: { prompts: [{ name: 'a', arguments: [{ name: 'b' }] }] } }],
    ['a resource', { id: 1, result: { resources: [{ uri: 'a:b', name: 'c' }] } }],
    ['a reference', { id: 1, method: 'completion/complete', params: { ref: { name: 'a' }, argument: { name: 'b' } } }],
  ])('%s', (_, message) => {
    expect(redact(message, NAME)).toEqual(message);
    expect(redact([message], NAME)).toEqual([message]);
  });

  it('types of content, though a rule takes the content as a whole', () => {
    const message = (text: string) => ({ id: 1, result: { content: [{ type: 'text', text }] } });
    expect(redact(message('Ada'), { key: 'content' })).toEqual(message('[redacted:content:1]'));
    expect(redact(message('Ada'), { key: 'type' })).toEqual(message('Ada'));
  });

  it('levels of logs', () => {
    const message = (level: string) => ({
      method: 'notifications/message',
      params: { level: 'info', data: { level } },
    });
    expect(redact(message('high'), { key: 'level' })).toEqual(message('[redacted:level:1]'));
  });
});

describe('a rule for a key redacts the data of users', () => {
  const SAFE = '[redacted:name:1]';

  it.each<[string, (name: string) => object]>([
    ['arguments', (name) => ({ id: 1, method: 'tools/call', params: { name: 'login', arguments: { name } } })],
    ['structured content', (name) => ({ id: 1, result: { content: [], structuredContent: { user: { name } } } })],
    ['JSON in a text', (name) => ({ id: 1, result: { content: [{ type: 'text', text: JSON.stringify({ name }) }] } })],
    ['the answer to an elicitation', (name) => ({ id: 1, result: { action: 'accept', content: { name } } })],
    [
      'an answer in a request of 2026-07-28',
      (name) => ({ id: 1, method: 'tools/call', params: { name: 'a', inputResponses: { x: { content: { name } } } } }),
    ],
    ['the data of an error', (name) => ({ id: 1, error: { code: -1, message: 'no', data: { name } } })],
    ['the data of a log', (name) => ({ method: 'notifications/message', params: { level: 'info', data: { name } } })],
    ['metadata of others', (name) => ({ id: 1, result: { tools: [], _meta: { owner: { name } } } })],
    ['a method that MCP does not have', (name) => ({ id: 1, method: 'acme/user', params: { name } })],
    ['its result', (name) => ({ id: 1, result: { name } })],
    [
      'an example in a schema',
      (name) => ({ id: 1, result: { tools: [{ name: 'a', inputSchema: { examples: [{ name }] } }] } }),
    ],
  ])('%s', (_, message) => {
    expect(redact(message('Ada'), NAME)).toEqual(message(SAFE));
    expect(redact([message('Ada')], NAME)).toEqual([message(SAFE)]);
  });

  it('and a pointer redacts what it names, a name of the protocol too', () => {
    const message = (name: string) => ({ id: 1, method: 'tools/call', params: { name } });
    expect(redact(message('weather'), { pointer: '/params/name' })).toEqual(message(SAFE));
  });
});

describe('a word of the protocol', () => {
  it('stays where the protocol has it, and goes as data, though a secret is the same word', () => {
    const redactor = createRedactor({ env: {}, rules: [{ key: 'login' }] });
    const redacted = (message: object) => redactor.json(new JsonText(JSON.stringify(message))).value;
    const call = (login: string) => ({ id: 1, method: 'tools/call', params: { name: 'a', arguments: { login } } });
    expect(redacted(call('assistant'))).toEqual(call('[redacted:login:1]'));
    expect(redacted(call('completed'))).toEqual(call('[redacted:login:2]'));
    const text = { type: 'text', text: 'I am assistant', annotations: { audience: ['assistant'] } };
    const result = { messages: [{ role: 'assistant', content: text }], task: { status: 'completed' } };
    expect(redacted({ id: 1, result })).toEqual({
      id: 1,
      result: { ...result, messages: [{ role: 'assistant', content: { ...text, text: 'I am [redacted:login:1]' } }] },
    });
    const data = { structuredContent: { status: 'completed', role: 'assistant' } };
    expect(redacted({ id: 1, result: data })).toEqual({
      id: 1,
      result: { structuredContent: { status: '[redacted:login:2]', role: '[redacted:login:1]' } },
    });
  });

  it('is each constant and each choice of the official schemas', () => {
    const words = REVISIONS.flatMap((revision) => {
      const schema = readProtocolSchema(revision);
      return schema === undefined ? [] : wordsIn(definitionsOf(schema));
    });
    const others = words.filter(([key, word]) => !isProtocolWord(['result', key], word, '{}'));
    expect(words.length).toBeGreaterThan(200);
    // These stay by their key, whatever their value is.
    expect(new Set(others.map(([key]) => key))).toEqual(new Set(['method', 'jsonrpc']));
  });

  /** Returns the strings that definitions allow for a key, as pairs. */
  function wordsIn(definitions: Record<string, unknown>): [key: string, word: string][] {
    const found: [string, string][] = [];
    const look = (node: unknown, key: string | undefined): void => {
      if (!isObject(node)) return;
      const { $ref, const: only, enum: choices, properties, items, anyOf = [], oneOf = [], allOf = [] } = node;
      for (const word of [only, ...(Array.isArray(choices) ? choices : [])])
        if (typeof word === 'string' && key !== undefined) found.push([key, word]);
      if (typeof $ref === 'string' && key !== undefined) {
        const named = definitions[$ref.split('/').at(-1)!];
        if (isObject(named) && !isObject(named.properties)) look(named, key);
      }
      for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) look(property, name);
      for (const inner of [items, anyOf, oneOf, allOf].flat()) look(inner, key);
    };
    for (const definition of Object.values(definitions)) look(definition, undefined);
    return found;
  }
});
