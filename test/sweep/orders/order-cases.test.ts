import { describe, expect, it } from 'vitest';
import {
  namedOrder,
  orderCase,
  positionsOf,
  positionsText,
  recordedOrderCase,
  swapTitle,
} from '../../../src/sweep/orders/order-cases.ts';
import { serverMessageOrders } from '../../../src/sweep/orders/server-message-order.ts';
import { call, cassette, client, result, server } from '../../support/conversation.ts';

const ids = [1, 2, 3, 4];
const tape = cassette(
  client(call(0, 'first')),
  server(result(0, 'done')),
  ...ids.map((id) => client(call(id, `tool-${id}`))),
  ...ids.map((id) => server(result(id, 'done'))),
);
const sessions = serverMessageOrders(tape, 'stdio');
const named = (...positions: number[]) => namedOrder(sessions, positions);
const caseOf = (...positions: number[]) => {
  const found = named(...positions);
  if ('why' in found) throw new Error(found.why);
  return orderCase(found.order, { sessions, wait: 700.2 });
};

describe('positions', () => {
  it.each([
    [[4, 3], '4,3'],
    [[3, 4, 1, 2], '3,4,1,2'],
    [[9, 1, 2, 3, 4, 5, 6, 7, 8], '9,1-8'],
    [[5, 6, 7, 2, 3, 4], '5-7,2-4'],
  ])('%j are written as %s', (positions, text) => {
    expect(positionsText(positions)).toBe(text);
    expect(positionsOf(text)).toEqual(positions);
  });

  it.each(['', 'x', '4,', '4,0', '4-2', '1-999999999', '4 3', '-1'])('cannot be read from "%s"', (text) => {
    expect(positionsOf(text)).toBeUndefined();
  });
});

describe('the point of an order', () => {
  it('has the message that comes too early', () => {
    expect(caseOf(4, 2, 3)).toMatchObject({
      name: 'order@4,2,3',
      message: 4,
      line: 9,
      title: 'answer to tools/call "tool-3" before answer to tools/call "tool-1" of line 7, 2 swaps in all',
      when: { from: 'server', line: 9, nth: 1 },
    });
  });

  it('tells calls of one name apart by the arguments that differ', () => {
    const answer = { title: 'answer to tools/call "rate"', line: 7 };
    const of = (currency: string) => ({ ...answer, arguments: { base: 'EUR', currency } });
    expect(swapTitle(of('USD'), of('NOK'))).toBe(
      'answer to tools/call "rate" (currency: "USD") before answer to tools/call "rate" (currency: "NOK") of line 7',
    );
    expect(swapTitle(of('USD'), of('USD'))).not.toContain('(');
    expect(swapTitle(of('U'.repeat(90)), of('NOK'))).toMatch(/\(currency: "U{39}…\) before/);
  });

  it('keeps the recorded order of all other messages that could have another', () => {
    expect(caseOf(4, 3).params).toEqual({ lines: [7, 9, 8, 10], moved: [9, 8], wait: 701 });
    expect(recordedOrderCase(sessions, 1_000)?.params).toEqual({ lines: [7, 8, 9, 10], moved: [7], wait: 1_000 });
  });

  it('is none if the messages have one order', () => {
    const one = serverMessageOrders(cassette(client(call(1, 'a')), server(result(1, 'a'))), 'stdio');
    expect(recordedOrderCase(one, 1_000)).toBeUndefined();
  });

  it.each([
    [[2, 3], 'it is the recorded order'],
    [[3, 2, 3], 'a message is in it twice'],
    [[9, 2], "message 9 is none of its server's messages in that session"],
    [[3, 1], 'message 3 (line 8) cannot come before message 1 (line 2), which causality puts first'],
  ])('cannot be %j', (positions, why) => {
    expect(named(...positions)).toEqual({ why });
  });
});
