import type { Cassette } from '../../cassette/cassette.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { type Attempt, attemptRun } from '../client/attempt-run.ts';
import type { FaultCase } from '../client/fault-cases.ts';
import { missesText, newMisses } from '../client/new-misses.ts';
import { type FailingClientOptions, failureOf, observationOf } from '../shrink/failing-client.ts';
import type { FailingProgram, Observation } from '../shrink/same-failure.ts';
import { namedOrder, orderCase, recordedOrderCase, unhurried } from './order-cases.ts';
import { serverMessageOrders } from './server-message-order.ts';

export interface FailingOrderOptions extends Omit<FailingClientOptions, 'faults'> {
  transport: FaultTransport;
}

/** Returns a client under test that fails if the messages at the given lines come in this order. */
export function failingOrder({ transport, ...options }: FailingOrderOptions): FailingProgram {
  const { deadline } = options;
  const wait = orderWait(deadline);
  const run = (cassette: Cassette, point: FaultCase | undefined) =>
    attemptRun({ ...options, point, target: () => options.target(cassette, point) });
  const inRecordedOrder = (cassette: Cassette) =>
    run(cassette, recordedOrderCase(serverMessageOrders(cassette, transport), wait));
  return {
    async attempt(cassette, lines) {
      const point = pointAt(cassette, { lines, transport, wait });
      if (point === undefined) return undefined;
      const ended = await run(cassette, point);
      const seen = observationOf(point, ended, deadline);
      if (!endedWell(seen, ended) || ended.unserved.length === 0) return ofOrder(seen, ended);
      const { unserved } = options.unserved ? options : await inRecordedOrder(cassette);
      const misses = newMisses(ended.unserved, unserved ?? []);
      if (misses.length === 0) return ofOrder(seen, ended);
      return { ...seen, verdict: 'failed', isBad: true, cause: MISSES, why: missesText(misses) };
    },
    async failureWithoutFaults(cassette, lines) {
      return failureOf(await inRecordedOrder(cassette), { ...options, lines });
    },
  };
}

const WAIT_PART = 4;
const WAIT_MAX: Milliseconds = 5_000;

/** Returns how long the next message of an order may take to come, in a run with this deadline. */
export function orderWait(deadline: Milliseconds): Milliseconds {
  return Math.min(deadline / WAIT_PART, WAIT_MAX);
}

/** Returns the order of the messages at these lines. Undefined: the cassette does not have it. */
function pointAt(
  cassette: Cassette,
  { lines, transport, wait }: { lines: readonly number[]; transport: FaultTransport; wait: Milliseconds },
): FaultCase | undefined {
  const sessions = serverMessageOrders(cassette, transport);
  const positions = lines.flatMap((line) => sessions.flat().find((one) => one.line === line)?.message ?? []);
  if (positions.length < lines.length) return undefined;
  const named = namedOrder(sessions, positions);
  return 'order' in named ? unhurried(orderCase(named.order, { sessions, wait })) : undefined;
}

/** Cause of a failure of a client that ends with 0. */
const MISSES = 'it sent a request that the cassette does not have';

/** Reports whether a client ended with 0 after the order, or after a part of it that the client itself has ended. */
function endedWell({ verdict }: Observation, { isPartial }: Pick<Attempt, 'isPartial'>): boolean {
  return verdict === 'passed' || (verdict === 'unreached' && isPartial === true);
}

/** The server does nothing wrong, so that the client has no reason to fail. */
function ofOrder(seen: Observation, { unchanged }: Pick<Attempt, 'unchanged'>): Observation {
  if (seen.verdict === 'unreached' && unchanged !== undefined) return { ...seen, why: unchanged };
  if (seen.verdict !== 'reported') return seen;
  return { ...seen, verdict: 'failed', isBad: true };
}
