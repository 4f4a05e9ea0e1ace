import { expect, it } from 'vitest';
import { isCall } from '../../src/fork/is-call.ts';
import { request } from '../support/conversation.ts';

it.each([
  ['tools/call', true],
  ['resources/read', true],
  ['acme/order', true],
  ['initialize', false],
  ['ping', false],
  ['tools/list', false],
  ['acme/list', false],
  ['tasks/get', false],
  ['subscriptions/listen', false],
])('%s is a call: %s', (method, expected) => {
  expect(isCall(request(1, method))).toBe(expected);
});

it('a call that the cassette may repeat is none', () => {
  expect(isCall(request(1, 'tools/call'), 'last')).toBe(false);
});
