import type { Cassette } from '../../cassette/cassette.ts';
import { clientMessageOrder } from '../orders/client-message-order.ts';
import { namedOrder } from '../orders/order-cases.ts';
import { hasCalls } from '../server/misbehaviour-cases.ts';
import { serverOrderCase } from '../server/orders/server-order-cases.ts';
import { SERVER_ORDER_VERDICTS } from '../server/orders/server-order-verdicts.ts';
import { type ServerOrderSweep, sweepServerOrders } from '../server/orders/sweep-server-orders.ts';
import { type FailingServerOptions, ONE_RUN, observationOf, orUndefined } from './failing-server.ts';
import type { FailingProgram } from './same-failure.ts';

/** Returns a server under test that fails if its client sends the messages at the given lines in this order. */
export function failingServerOrder(options: Omit<FailingServerOptions, 'faults'>): FailingProgram {
  let isFirst = true;
  return {
    async attempt(cassette, lines, isSearch) {
      const swept = await orUndefined(sweepOrder(cassette, lines, { ...options, isOnceEnough: isSearch }), isFirst);
      isFirst = false;
      const [result] = swept?.results ?? [];
      return result && observationOf(result, SERVER_ORDER_VERDICTS.bad.has(result.verdict));
    },
  };
}

/** Plays one order to the server. Undefined: the cassette does not have this order. */
async function sweepOrder(
  cassette: Cassette,
  lines: readonly number[],
  options: Omit<FailingServerOptions, 'faults'> & { isOnceEnough: boolean },
): Promise<ServerOrderSweep | undefined> {
  const messages = clientMessageOrder(cassette);
  const positions = lines.flatMap((line) => messages.find((one) => one.line === line)?.message ?? []);
  if (positions.length < lines.length || !hasCalls(cassette)) return undefined;
  const named = namedOrder([messages], positions, 'client');
  if (!('order' in named)) return undefined;
  // A busy server may read two HTTP requests in another order, if there is little time between them.
  const points = [{ ...serverOrderCase(named.order), isUnhurried: options.isOnceEnough }];
  return await sweepServerOrders({ ...options, cassette, messages, points, room: ONE_RUN });
}
