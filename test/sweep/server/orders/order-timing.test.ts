import { describe, expect, it } from 'vitest';
import type { MessageFrame } from '../../../../src/channel/frame.ts';
import { ManualClock } from '../../../../src/kernel/manual-clock.ts';
import { isRequest, type Params } from '../../../../src/protocol/message.ts';
import { clientMessageOrder } from '../../../../src/sweep/orders/client-message-order.ts';
import { namedOrder } from '../../../../src/sweep/orders/order-cases.ts';
import { serverOrderCase } from '../../../../src/sweep/server/orders/server-order-cases.ts';
import { sweepServerOrders } from '../../../../src/sweep/server/orders/sweep-server-orders.ts';
import type { ServerUnderTest } from '../../../../src/sweep/server/server-under-test-types.ts';
import type { LiveEvents, LiveServer } from '../../../../src/verify/run/live-server-types.ts';
import { result, server } from '../../../support/conversation.ts';
import { OPENING, three } from './three-calls.ts';

interface Session {
  /** When the server got each call. */
  calls: { city: string; at: number }[];
}

/** Sessions in which each call follows the answer to the one before, and that begin with Oslo: two of the six orders. */
const CONTROLS = 2;
const OPENED = OPENING[1]!;

interface Times {
  /** Duration of a call in most sessions. */
  alone: number;
  /** Durations in the first sessions with the order, and with requests in flight at once. */
  atOnce?: readonly number[];
}

/** Sweeps a server over HTTP with one order, Oslo before Lima. Returns the times between the two in all sessions with it. */
async function sweepOf({ alone, atOnce = [] }: Times) {
  const clock = new ManualClock();
  const sessions: Session[] = [];
  const connect = (): LiveServer => {
    const session: Session = { calls: [] };
    let events!: LiveEvents;
    let time = alone;
    return {
      isProcess: false,
      begin: (_plan, heard) => {
        events = heard;
      },
      send(frame) {
        const message = frame.kind === 'message' ? frame.json.value : undefined;
        if (!isRequest(message)) return;
        const { city } = ((message.params as Params | undefined)?.arguments ?? {}) as { city?: string };
        if (city !== undefined && session.calls.push({ city, at: clock.now() }) === 1 && city === 'Oslo') {
          const nth = sessions.push(session) - CONTROLS;
          time = atOnce[nth - 1] ?? alone;
        }
        const { id, method } = message;
        const answer = method === 'initialize' ? OPENED : server(result(id, `${city}`));
        clock.after(city === undefined ? 0 : time, () => events.receive(answer as MessageFrame));
      },
      close: () => events.ended({ killed: false }),
    };
  };
  const target: ServerUnderTest = {
    transport: 'http',
    connect: async () => ({ server: connect(), left: () => undefined, hasExited: () => false, close: async () => {} }),
  };
  const messages = clientMessageOrder(three);
  const named = namedOrder([messages], [4, 3], 'client');
  if ('why' in named) throw new Error(named.why);
  let isOver = false;
  const swept = sweepServerOrders({
    cassette: three,
    target,
    points: [serverOrderCase(named.order)],
    messages,
    clock,
    room: { busy: 1, all: 1 },
    deadline: 5_000,
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { results } = await swept;
  const gaps = sessions.slice(CONTROLS).map(({ calls }) => calls[1]!.at - calls[0]!.at);
  return { verdict: results[0]!.verdict, why: results[0]!.why, gaps };
}

describe('an order over HTTP', () => {
  it.each([
    ['200 ms: it surely comes about', { alone: 200 }, [50]],
    ['20 ms: the pause may be too short for a busy machine', { alone: 20 }, [5, 5, 5]],
    ['2 ms: no pause is short enough', { alone: 2 }, [0, 0, 0]],
    ['200 ms, and twice 10 ms: the second call comes after an answer', { alone: 200, atOnce: [10, 10] }, [50, 50, 50]],
  ])('passes as often as needed, with calls of %s', async (_, times, gaps) => {
    expect(await sweepOf(times)).toEqual({ verdict: 'passed', why: undefined, gaps });
  });

  it('is unreached if each second call comes after an answer', async () => {
    expect(await sweepOf({ alone: 200, atOnce: [10, 10, 10] })).toEqual({
      verdict: 'unreached',
      why: 'tools/call "weather" of line 5 is answered so early that the server may get the next message only after that',
      gaps: [50, 50, 50],
    });
  });
});
