import { describe, expect, it } from 'vitest';
import { serverRequestProblem } from '../../../src/mock/protocol-rules/server-request-problem.ts';
import { request } from '../../support/conversation.ts';

const said = { role: 'user', content: { type: 'text', text: 'hi' } };
const form = { type: 'object', properties: { city: { type: 'string' }, tags: { type: 'array' } } };
const problemOf = (method: string, params?: Record<string, unknown>, isModern = false) =>
  serverRequestProblem(request(1, method, params), isModern);

describe('params of sampling', () => {
  it.each([
    ['the required members', { messages: [said], maxTokens: 5 }],
    ['no messages', { messages: [], maxTokens: 5 }],
    ['a list of contents', { messages: [{ ...said, content: [said.content] }], maxTokens: 5 }],
    ['tools and all else', { messages: [said], maxTokens: 5, tools: [{ name: 'a', inputSchema: {} }], _meta: {} }],
  ])('are valid with %s', (_, params) => {
    expect(problemOf('sampling/createMessage', params)).toBeUndefined();
  });

  it.each([
    [{}, 'it has no messages (a list)'],
    [{ messages: [said] }, 'it has no maxTokens (a number)'],
    [{ messages: [said], maxToken: 5 }, 'it has no maxTokens (a number): did you mean it by maxToken?'],
    [{ messages: [said], maxTokens: '5' }, 'it has a maxTokens that is not a number'],
    [{ messages: ['hi'], maxTokens: 5 }, 'messages[0] is no object'],
    [{ messages: [{ content: said.content }], maxTokens: 5 }, 'messages[0] has no role ("user" or "assistant")'],
    [
      { messages: [{ ...said, role: 'model' }], maxTokens: 5 },
      'messages[0] has the role "model", which is neither "user" nor "assistant"',
    ],
    [{ messages: [{ ...said, content: 'hi' }], maxTokens: 5 }, 'messages[0] is wrong: its content is no content block'],
    [{ messages: [said], maxTokens: 5, tools: {} }, 'it has a tools that is not a list'],
    [{ messages: [said], maxTokens: 5, tools: ['a'] }, 'tools[0] is no object'],
    [{ messages: [said], maxTokens: 5, tools: [{ name: 'a' }] }, 'tools[0] has no inputSchema (an object)'],
    [
      { messages: [said], maxTokens: 5, systemPromt: 'Be.' },
      'it has no member systemPromt: did you mean systemPrompt?',
    ],
  ])('are invalid: %j', (params, problem) => {
    expect(problemOf('sampling/createMessage', params)).toBe(problem);
  });
});

describe('params of an elicitation', () => {
  const url = { mode: 'url', message: 'Log in.', url: 'https://example.com' };

  it('are valid for a form, and for a page', () => {
    expect(problemOf('elicitation/create', { message: 'Where?', requestedSchema: form })).toBeUndefined();
    expect(problemOf('elicitation/create', { ...url, elicitationId: 'a' })).toBeUndefined();
    expect(problemOf('elicitation/create', url, true)).toBeUndefined();
  });

  it.each([
    [{ requestedSchema: form }, 'it has no message (a string)'],
    [{ message: 'Where?' }, 'it has no requestedSchema (an object)'],
    [{ message: 'Where?', requestedSchema: { properties: {} } }, 'its requestedSchema has no type "object"'],
    [{ message: 'Where?', requestedSchema: { type: 'object' } }, 'its requestedSchema has no properties (an object)'],
    [
      { message: 'Where?', requestedSchema: { type: 'object', properties: { place: { type: 'object' } } } },
      'its requestedSchema has the property place, whose type is not "string", "number", "integer", "boolean" or "array"',
    ],
    [{ message: 'Where?', mode: 'page' }, 'its mode is not "form" or "url"'],
    [url, 'it has no elicitationId (a string)'],
  ])('are invalid: %j', (params, problem) => {
    expect(problemOf('elicitation/create', params)).toBe(problem);
  });
});

it('requests without params of their own, and of extensions, are not judged', () => {
  expect(problemOf('roots/list')).toBeUndefined();
  expect(problemOf('ping')).toBeUndefined();
  expect(problemOf('acme/ask', { a: 1 })).toBeUndefined();
});
