import { expect, it } from 'vitest';
import { planClient } from '../../../src/replay/plan/client-plan.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

const roots = (id: string) => ({ jsonrpc: '2.0', id, result: { roots: [] } });
const { events } = cassette(
  client(call(1, 'a')),
  client(call(2, 'b')),
  server(request('q', 'roots/list')),
  server(request('r', 'roots/list')),
  client(roots('q')),
  client(roots('r')),
  server(result(1, 'a')),
);

function needsOf(order?: Parameters<typeof planClient>[1]): Map<number, readonly [readonly number[], number?]> {
  const steps = [...planClient(events, order).sequences].flatMap((sequence) => sequence.steps);
  return new Map(steps.map(({ entry, needs, pause }) => [entry, pause === undefined ? [needs] : [needs, pause]]));
}

it('messages of an order follow each other, with a pause, also answers to different questions', () => {
  const ordered = needsOf({ order: { pauses: new Map([0, 1, 4, 5].map((event) => [event, 7])) } });
  expect([0, 1, 4, 5].map((entry) => ordered.get(entry))).toEqual([[[]], [[0], 7], [[1], 7], [[4], 7]]);
});

it('without an order, each answer waits for its question alone', () => {
  expect([4, 5].map((entry) => needsOf().get(entry))).toEqual([[[]], [[]]]);
});
