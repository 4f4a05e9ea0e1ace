import { describe, expect, it } from 'vitest';
import { identityParams, repeatOf, subjectOf } from '../../src/protocol/methods.ts';

describe('what identifies a request', () => {
  it.each([
    [
      'tools/call',
      { name: 'add', arguments: { a: 1 }, _meta: { progressToken: 1 } },
      { name: 'add', arguments: { a: 1 } },
    ],
    ['tools/call', { name: 'add', arguments: {} }, { name: 'add' }],
    ['tools/call', { name: 'add', task: { ttl: 5 } }, { name: 'add', task: true }],
    [
      'tools/call',
      { name: 'add', inputResponses: { a: 1 }, requestState: 's' },
      { name: 'add', inputResponses: { a: 1 } },
    ],
    ['tools/list', { cursor: '' }, { cursor: '' }],
    ['initialize', { protocolVersion: '2025-11-25' }, {}],
    ['ping', undefined, {}],
    ['acme/search', { query: 'x', _meta: { a: 1 } }, { query: 'x' }],
    ['acme/search', undefined, {}],
  ])('%s %j → %j', (method, params, identity) => {
    expect(identityParams(method, params)).toEqual(identity);
  });
});

it('calls are used once, lists and polls repeat, and the unknown is used once', () => {
  expect(['tools/call', 'tools/list', 'tasks/get', 'tasks/result', 'acme/search'].map(repeatOf)).toEqual([
    'once',
    'last',
    'last',
    'once',
    'once',
  ]);
});

it('names what a request is about', () => {
  expect(subjectOf('tools/call', { name: 'add' })).toBe('tools/call "add"');
  expect(subjectOf('resources/read', { uri: 'demo://x' })).toBe('resources/read "demo://x"');
  expect(subjectOf('tasks/get', { taskId: 't1' })).toBe('tasks/get "t1"');
  expect(subjectOf('ping', undefined)).toBe('ping');
  expect(subjectOf('acme/odd', { name: 7 })).toBe('acme/odd');
});
