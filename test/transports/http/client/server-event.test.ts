import { expect, it } from 'vitest';
import { refusedOpen } from '../../../../src/transports/http/client/server-event.ts';

const head = (status: number) => ({ status, headers: [], isStream: false });

it.each([
  ['GET', 401],
  ['GET', 403],
  ['DELETE', 401],
] as const)('a %s refused with %i is an event, with the status', (method, status) => {
  const frame = { kind: 'http-response', at: 7, from: 'server', status };
  expect(refusedOpen(method, head(status), 7)).toEqual({ frame, unanswered: [], opened: method });
});

it.each([
  ['GET', 405],
  ['GET', 200],
  ['DELETE', 404],
  ['POST', 401],
] as const)('a %s with %i is none', (method, status) => {
  expect(refusedOpen(method, head(status), 7)).toBeUndefined();
});

it('a request that nobody answered is none', () => {
  expect(refusedOpen('GET', undefined, 7)).toBeUndefined();
});
