import { expect, it } from 'vitest';
import type { CassetteEvent } from '../../../src/cassette/cassette.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { RequestMatcher } from '../../../src/replay/match/request-matcher.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

/** A fork: what it played, and what the live client did, in part the same. */
const { events } = cassette(
  ...[client(request(1, 'tools/list')), server(result(1, 'played list'))],
  ...[client(call(2, 'read')), server(result(2, 'played'))],
  ...[client(call(3, 'write')), server(result(3, 'written'))],
  ...[client(request(4, 'tools/list')), server(result(4, 'live list'))],
  ...[client(call(5, 'read')), server(result(5, 'live'))],
  ...[client(call(6, 'read')), server(result(6, 'live again'))],
);
const PLAYED = 6;

function matcher() {
  const optional = (event: CassetteEvent) => ({ ...event, match: { optional: true } });
  const forked = events.map((event, n) => (n < PLAYED && event.frame.from === 'client' ? optional(event) : event));
  const { entries, links } = planServer(forked);
  return new RequestMatcher({ entries, links, side: 'client', happened: () => true });
}

const taken = (one: RequestMatcher, message: object) =>
  (one.take(new JsonText(JSON.stringify(message)))?.entry.message as { id?: number } | undefined)?.id;

it('a live call that equals an optional one matches the required one first', () => {
  const one = matcher();
  expect([1, 2, 3, 4].map(() => taken(one, call(9, 'read')))).toEqual([5, 6, 2, undefined]);
});

it('a list keeps the answer of the required one', () => {
  const one = matcher();
  expect([1, 2].map(() => taken(one, request(9, 'tools/list')))).toEqual([4, 4]);
});

it('a call that only the optional part has is answered as recorded', () => {
  expect(taken(matcher(), call(9, 'write'))).toBe(3);
});
