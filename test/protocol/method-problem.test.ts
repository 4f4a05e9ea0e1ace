import { describe, expect, it } from 'vitest';
import { type MethodKind, methodProblem, unknownMethod } from '../../src/protocol/method-problem.ts';

describe('a method that somebody wrote', () => {
  it.each<[kind: MethodKind, method: unknown, why: string, next: string]>([
    [
      'notification',
      'notifications/tools/list_chnaged',
      'MCP has no such method',
      '"notifications/tools/list_changed"',
    ],
    ['notification', 'notification/message', 'MCP has no such method', '"notifications/message"'],
    ['request', 'sampling/createMesage', 'MCP has no such method', '"sampling/createMessage"'],
    ['request', 'Tools/Call', 'MCP has no such method', '"tools/call"'],
    ['request', 'search', 'MCP has no such method', 'which has a slash'],
    ['request', 'notifications/message', 'it is the method of a notification', 'method of a request'],
    ['notification', 'tools/list', 'it is the method of a request', 'method of a notification'],
    ['notification', 'acme/changed', 'it is the method of a request', "e.g. 'notifications/message'"],
    ['request', '', 'the method is ""', 'method of a request'],
    ['request', undefined, 'the method is undefined', 'method of a request'],
  ])('cannot be that of a %s: %s', (kind, method, why, next) => {
    expect(methodProblem(method, kind)).toEqual({ why, next: expect.stringContaining(next) });
  });

  it.each<[kind: MethodKind, method: string]>([
    ['request', 'tools/call'],
    ['request', 'tasks/update'],
    ['request', 'acme/search'],
    ['notification', 'notifications/tools/list_changed'],
    ['notification', 'notifications/acme/changed'],
  ])('may be that of a %s: %s', (kind, method) => {
    expect(methodProblem(method, kind)).toBeUndefined();
  });

  it('is known in every revision, and as one of an extension', () => {
    for (const method of ['tasks/result', 'skills/list', 'notifications/elicitation/complete'])
      expect(unknownMethod(method)).toBeUndefined();
  });
});
