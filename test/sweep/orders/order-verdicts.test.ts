import { expect, it } from 'vitest';
import type { Verdict } from '../../../src/sweep/client/verdict.ts';
import type { GridPoint } from '../../../src/sweep/grid-text.ts';
import { confirmedOrders } from '../../../src/sweep/orders/confirmed-orders.ts';
import { namedOrder, orderCase } from '../../../src/sweep/orders/order-cases.ts';
import { confirmedFailures, type OrderResult, orderResult } from '../../../src/sweep/orders/order-verdicts.ts';
import { serverMessageOrders } from '../../../src/sweep/orders/server-message-order.ts';
import {
  SERVER_ORDER_VERDICTS,
  type ServerOrderVerdict,
} from '../../../src/sweep/server/orders/server-order-verdicts.ts';
import { call, cassette, client, result, server } from '../../support/conversation.ts';

const ids = [1, 2, 3];
const tape = cassette(
  ...ids.map((id) => client(call(id, `tool-${id}`))),
  ...ids.map((id) => server(result(id, 'done'))),
);
const sessions = serverMessageOrders(tape, 'stdio');

type OrderResultFields = Pick<OrderResult, 'why' | 'status' | 'misses' | 'isPartial'>;

function ran(positions: number[], verdict: Verdict, more: Partial<OrderResultFields> = {}): OrderResult {
  const found = namedOrder(sessions, positions);
  if ('why' in found) throw new Error(found.why);
  const point = orderCase(found.order, { sessions, wait: 1 });
  return orderResult({ point, verdict, duration: 1, stderrTail: '', ...more });
}

const explained = async (results: OrderResult[], again: Record<string, OrderResult> = {}) => {
  const runAgain = async ({ name }: OrderResult['point']) =>
    again[name] ?? results.find(({ point }) => point.name === name)!;
  const shown = await confirmedFailures(results, sessions.flat(), runAgain);
  return shown.map(({ point, verdict, why }) => [point.name, verdict, point.title, why]);
};

it('an error of the client is its failure, as the server does nothing wrong', () => {
  expect(ran([2, 1], 'reported', { status: 1 })).toMatchObject({
    verdict: 'failed',
    why: expect.stringContaining('it ended with 1. With the recorded order it ends with 0'),
  });
});

it('a request that the cassette does not have is a failure, also after a part of the order that the client has ended', () => {
  const [misses, status] = [['Cannot answer tools/call "save".'], 0];
  const why = expect.stringMatching(
    /^it sent a request that the cassette does not have: Cannot answer tools\/call "save"\. .*In the recorded order/,
  );
  expect(ran([2, 1], 'passed', { status, misses })).toMatchObject({ verdict: 'failed', why });
  expect(ran([2, 1], 'unreached', { status, misses, isPartial: true })).toMatchObject({ verdict: 'failed', why });
  expect(ran([2, 1], 'unreached', { status, misses })).toMatchObject({ verdict: 'unreached' });
  expect(ran([2, 1], 'reported', { status: 1, misses }).why).toContain('it ended with 1, and it sent a request');
});

it('an order that the client does not let come about has the reason', () => {
  const why = 'the fault changed nothing: the message at line 5 had not come';
  expect(ran([2, 1], 'unreached', { why })).toMatchObject({
    verdict: 'unreached',
    why: 'the message at line 5 had not come',
  });
});

it('a failure is named by the swap that no passed order has', async () => {
  const swap = (early: number, passed: number) =>
    `answer to tools/call "tool-${early}" before answer to tools/call "tool-${passed}" of line ${passed + 3}`;
  expect(
    await explained([
      ran([2, 1], 'passed'),
      ran([3, 2], 'passed'),
      ran([2, 3, 1], 'hung'),
      ran([3, 1, 2], 'hung'),
      ran([3, 2, 1], 'crashed'),
    ]),
  ).toEqual([
    ['order@2,1', 'passed', swap(2, 1), undefined],
    ['order@3,2', 'passed', swap(3, 2), undefined],
    ['order@2,3,1', 'hung', swap(3, 1), undefined],
    ['order@3,1,2', 'same', expect.any(String), 'it hangs as with order@2,3,1'],
    ['order@3,2,1', 'crashed', swap(3, 1), undefined],
  ]);
});

it('a failure that does not come again is none, and the next order with it is tried', async () => {
  const results = [ran([2, 1], 'reported', { status: 1 }), ran([3, 2, 1], 'reported', { status: 1 })];
  const [first, second] = results.map(({ point }) => point.name) as [string, string];
  const shown = await explained(results, { [first]: ran([2, 1], 'passed') });
  expect(shown.map(([name, verdict, , why]) => [name, verdict, why])).toEqual([
    [first, 'unsteady', 'it failed once, and passed when it ran again alone'],
    [second, 'failed', expect.any(String)],
  ]);
});

it('a failure runs again with more time between its messages, and then with as much as before', async () => {
  const failed = ran([2, 1], 'reported', { status: 1 });
  const gaps: unknown[] = [];
  const [shown] = await confirmedFailures([failed], sessions.flat(), async ({ params }) => {
    gaps.push(params?.gap);
    return gaps.length === 1 ? ran([2, 1], 'passed') : failed;
  });
  expect(gaps).toEqual([200, undefined]);
  expect(shown?.verdict).toBe('failed');
});

interface Wrong {
  point: GridPoint;
  verdict: ServerOrderVerdict;
  cause: string;
}

it.each([
  ['another wrong answer confirms the first one', true, 'corrupted'],
  ['only an equal failure confirms it', false, 'unsteady'],
])('%s (%s): an order with two different wrong answers is %s', async (_, isConfirming, verdict) => {
  const point = { name: 'order@2,1', fault: 'order', message: 2, line: 4, title: 'order' };
  const first: Wrong = { point, verdict: 'corrupted', cause: 'one' };
  const [shown] = await confirmedOrders<ServerOrderVerdict, Wrong>([first], {
    messages: [],
    verdicts: SERVER_ORDER_VERDICTS,
    movedLines: () => [],
    failureOf: ({ cause }) => cause,
    confirms: () => isConfirming,
    unhurried: (point) => point,
    again: async () => ({ ...first, cause: 'another' }),
  });
  expect(shown?.verdict).toBe(verdict);
});
