import { describe, expect, it } from 'vitest';
import { messageChecks } from '../../../src/protocol/schema/message-checks.ts';

const nameOf = (revision: string, method: string, result: Record<string, unknown> = {}) =>
  messageChecks(revision)!.ofResult(method, result)?.name;

it('has checks of the revisions whose schema the package has', () => {
  expect(messageChecks('2024-11-05')).toBeUndefined();
  expect(messageChecks('2025-03-26')).toBe(messageChecks('2025-03-26'));
});

it('checks requests and notifications by their method', () => {
  const checks = messageChecks('2025-11-25')!;
  const check = checks.ofMethod('prompts/get');
  expect(check?.name).toBe('GetPromptRequest');
  expect(check?.breachOf({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'a' } })).toBeUndefined();
  expect(check?.breachOf({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params: {} })).toEqual({
    path: '/params',
    value: {},
    why: "must have required property 'name'",
  });
  expect(checks.ofMethod('notifications/progress')?.name).toBe('ProgressNotification');
  expect(checks.ofMethod('acme/other')).toBeUndefined();
});

describe('a result is checked by', () => {
  it.each([
    ['tools/call', {}, 'CallToolResult'],
    ['tools/call', { task: {} }, 'CreateTaskResult'],
    ['ping', {}, 'EmptyResult'],
    ['acme/other', {}, undefined],
  ])('%s %j of 2025-11-25: %s', (method, result, name) => {
    expect(nameOf('2025-11-25', method, result)).toBe(name);
  });

  it.each([
    ['tools/call', { resultType: 'complete' }, 'CallToolResult'],
    ['tools/call', { resultType: 'input_required' }, 'InputRequiredResult'],
    ['tools/call', { resultType: 'acme' }, undefined],
    ['initialize', {}, undefined],
  ])('%s %j of 2026-07-28: %s', (method, result, name) => {
    expect(nameOf('2026-07-28', method, result)).toBe(name);
  });
});

it.each([
  [{ type: 'image', data: 'a' }, "/content/0 must have required property 'mimeType'"],
  [{ type: 'resource_link', name: 'a' }, "/content/0 must have required property 'uri'"],
  [{ type: 'resource', resource: { uri: 'a:b' } }, "/content/0/resource must have required property 'text'"],
  [{ type: 'text' }, "/content/0 must have required property 'text'"],
  [{ type: 'text', text: 5 }, '/content/0/text must be string'],
  [{ type: 'txt', text: 'a' }, '/content/0/type must be equal to constant'],
])('names what the kind of content block that was meant lacks: %j', (block, problem) => {
  const check = messageChecks('2025-11-25')!.ofResult('tools/call', {});
  const { path, why } = check!.breachOf({ content: [block] })!;
  expect(`${path} ${why}`).toBe(problem);
});

it.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])('checks errors of %s', (revision) => {
  const check = messageChecks(revision)!.ofErrorResponse();
  expect(check?.breachOf({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } })).toBeUndefined();
  expect(check?.breachOf({ jsonrpc: '2.0', id: 1, error: 'no' })).toMatchObject({ path: '/error' });
});
