import { expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { maskSecrets } from '../../../src/redact/replace/mask-for-compare.ts';
import { RequestMatcher } from '../../../src/replay/match/request-matcher.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { cassette, client, request, result, server } from '../../support/conversation.ts';

const get = (id: number, args: object) => request(id, 'tools/call', { name: 'get', arguments: args });
const customer = (n: number) => `CUST-[redacted:customer:${n}]`;
const { events } = cassette(
  ...[1, 2].flatMap((n) => [client(get(n, { id: customer(n) })), server(result(n, `customer ${n}`))]),
  client(get(3, { a: customer(1), b: customer(2) })),
  server(result(3, 'both')),
);

function matcher() {
  const { entries, links } = planServer(events);
  const redactor = createRedactor({ env: {}, rules: [{ pattern: 'CUST-(\\d+)', name: 'customer' }] });
  return new RequestMatcher({ entries, links, side: 'client', ignore: [maskSecrets(redactor)], happened: () => true });
}

const taken = (one: RequestMatcher, args: object) =>
  (one.take(new JsonText(JSON.stringify(get(9, args))))?.entry.message as { id?: number } | undefined)?.id;

it('a client that repeats a placeholder gets the answer for its number, in any order', () => {
  const one = matcher();
  expect(taken(one, { id: customer(2) })).toBe(2);
  expect(taken(one, { id: customer(1) })).toBe(1);
  expect(taken(one, { id: customer(1) })).toBeUndefined();
});

it('a placeholder with a number that the cassette has not matches nothing', () => {
  expect(taken(matcher(), { id: customer(7) })).toBeUndefined();
  expect(taken(matcher(), { a: customer(2), b: customer(1) })).toBeUndefined();
  expect(taken(matcher(), { b: customer(2), a: customer(1) })).toBe(3);
});

it('a secret matches every placeholder, since its number is not known, also beside a placeholder', () => {
  expect(taken(matcher(), { id: 'CUST-5' })).toBe(1);
  expect(taken(matcher(), { a: customer(1), b: 'CUST-5' })).toBe(3);
});

it('one recorded request matches by its own number only', () => {
  const one = matcher();
  const live = new JsonText(JSON.stringify(get(9, { id: customer(2) })));
  expect(one.requests.map((each) => one.matches(each, live))).toEqual([false, true, false]);
  expect(one.has(live)).toBe(true);
  expect(one.has(new JsonText(JSON.stringify(get(9, { id: customer(3) }))))).toBe(false);
});
