import { describe, expect, it } from 'vitest';
import { order } from '../../../src/faults/timing/order.ts';
import { sentOrder } from '../../../src/sweep/client/sent-order.ts';
import type { Noted } from '../../../src/sweep/client/withheld-response-arrival.ts';

const FIRED: Noted = { rule: 1, line: 9 };
const sent = (...lines: number[]): Noted[] => lines.map((line) => ({ rule: 2, line }));
const not = (unchanged: string): Noted => ({ rule: 1, unchanged });

describe('an order of messages', () => {
  it('came about if all messages were sent in it', () => {
    expect(sentOrder([9, 7, 8], [...sent(2, 9), FIRED, ...sent(7, 8, 9)])).toEqual({ fired: true });
  });

  it('came about if the client ended at the first message', () => {
    expect(sentOrder([9, 7, 8], [...sent(2, 9), FIRED])).toEqual({ fired: true });
  });

  it('came about in part if nothing but the client kept the rest from coming', () => {
    const part = { fired: true, isPartial: true, unchanged: order.awaits };
    expect(sentOrder([9, 7, 8], [...sent(9, 7), not(order.awaits!)])).toEqual(part);
    expect(sentOrder([9, 7, 8], sent(9))).toEqual(part);
    expect(sentOrder([9, 6, 7, 8], [...sent(9, 6, 8), not(order.awaits!)])).toEqual(part);
  });

  it('did not come about if no messages were swapped', () => {
    expect(sentOrder([7, 9, 8], [...sent(7), not(order.awaits!)])).toEqual({ fired: false, unchanged: order.awaits });
    expect(sentOrder([9, 7], [])).toEqual({ fired: false });
  });

  it('did not come about if a message was held back in vain', () => {
    const why = 'the message at line 8 had not come';
    expect(sentOrder([9, 8, 7], [...sent(9), not(why), ...sent(7)])).toEqual({ fired: false, unchanged: why });
  });

  it('did not come about if another one did', () => {
    const unchanged = 'the message at line 7 came before the one at line 9';
    expect(sentOrder([9, 7], [FIRED, ...sent(7, 9)])).toEqual({ fired: false, unchanged });
  });
});
