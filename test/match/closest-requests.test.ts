import { expect, it } from 'vitest';
import { closestRequests } from '../../src/match/closest-requests.ts';
import { identityOf } from '../../src/match/request-identity.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

const call = (name: string, args: object) => ({
  identity: identityOf(
    new JsonText(JSON.stringify({ id: 1, method: 'tools/call', params: { name, arguments: args } })),
  ),
});
const list = { identity: identityOf(new JsonText('{"id":1,"method":"tools/list"}')) };

const add = call('add', { a: 1, b: 2 });

it('are the three with the fewest differences, the same subject first', () => {
  const other = call('sub', { a: 1, b: 3 });
  const near = call('add', { a: 1, b: 9 });
  const far = call('add', { a: 7, b: 8, c: 9 });
  const farthest = call('sub', { x: 1 });
  const found = closestRequests(call('add', { a: 1, b: 3 }).identity, [farthest, far, other, list, near]);
  expect(found.map(({ candidate }) => candidate)).toEqual([near, far, other]);
  expect(found[0]?.differences).toEqual([{ path: '/params/arguments/b', recorded: 9, live: 3 }]);
});

it('are in recorded order where they are equally near', () => {
  const twins = [call('add', { a: 2 }), call('add', { a: 3 }), call('add', { a: 4 }), call('add', { a: 5 })];
  expect(closestRequests(call('add', { a: 1 }).identity, twins).map(({ candidate }) => candidate)).toEqual(
    twins.slice(0, 3),
  );
});

it('are of the same method, and none where there is none', () => {
  expect(closestRequests(list.identity, [add])).toEqual([]);
  expect(closestRequests(add.identity, [])).toEqual([]);
});

it('with no difference are equal requests, which were used', () => {
  expect(closestRequests(add.identity, [add]).map(({ differences }) => differences)).toEqual([[]]);
});

it('are looked for among two thousand, so that a miss on a long cassette is told at once', () => {
  const far = call('add', { a: 7, b: 8 });
  const first = (count: number) =>
    closestRequests(add.identity, [...Array<typeof add>(count - 1).fill(far), add], 1)[0]?.candidate;
  expect(first(2_000)).toBe(add);
  expect(first(2_001)).toBe(far);
});

it('are about another subject only by the name, address or task of the call itself', () => {
  const nested = (args: object) => call('add', { params: args });
  const live = nested({ name: 'x', a: 1, b: 2 });
  const [near, far] = [nested({ name: 'y', a: 1, b: 2 }), nested({ name: 'x', a: 8, b: 9 })];
  expect(closestRequests(live.identity, [far, near], 1)[0]?.candidate).toBe(near);
  const unknown = (params: object) => ({
    identity: identityOf(new JsonText(JSON.stringify({ id: 1, method: 'acme/do', params }))),
  });
  const [by, other] = [unknown({ names: 2, a: 1, b: 2 }), unknown({ names: 1, a: 8, b: 9 })];
  expect(closestRequests(unknown({ names: 1, a: 1, b: 2 }).identity, [other, by], 1)[0]?.candidate).toBe(by);
});

it('are nearer as the same step of a call: a retry that lost its state is closest to the recorded retry', () => {
  const book = (more: object) => ({
    identity: identityOf(
      new JsonText(JSON.stringify({ id: 1, method: 'tools/call', params: { name: 'book', ...more } })),
    ),
  });
  const inputResponses = { sure: { action: 'accept' } };
  const [first, retry] = [book({}), book({ inputResponses, requestState: 's' })];
  for (const live of [book({ inputResponses }), book({ inputResponses, requestState: 'x' })])
    expect(closestRequests(live.identity, [first, retry], 1)[0]?.candidate).toBe(retry);
});
