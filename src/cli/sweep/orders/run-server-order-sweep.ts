import type { Cassette } from '../../../cassette/cassette.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { clientMessageOrder } from '../../../sweep/orders/client-message-order.ts';
import { type ServerOrderCase, serverOrderCase } from '../../../sweep/server/orders/server-order-cases.ts';
import { SERVER_ORDER_VERDICTS, type ServerOrderVerdict } from '../../../sweep/server/orders/server-order-verdicts.ts';
import { type ServerOrderResult, sweepServerOrders } from '../../../sweep/server/orders/sweep-server-orders.ts';
import { againCommand } from '../again-command.ts';
import { reportedServerSweep } from '../reported-server-sweep.ts';
import { noPoints, type SweepCommandOptions } from '../sweep-options.ts';
import { sweptOrders } from './swept-orders.ts';

export interface ServerOrderSweepCommand {
  cassette: Cassette;
  /** The command of the server, or its URL. */
  words: readonly string[];
  options: SweepCommandOptions;
}

/**
 * `mcp-record sweep --server --orders N FILE -- COMMAND…`: plays the recorded client once for each order in which it may
 * send its messages.
 */
export async function runServerOrderSweep({ cassette, words, options }: ServerOrderSweepCommand): Promise<number> {
  const { file } = cassette;
  const messages = clientMessageOrder(cassette);
  const lines = new Set(messages.map(({ line }) => line));
  const { orders, head } = sweptOrders([messages], { file, lines, options });
  return await reportedServerSweep<ServerOrderCase, ServerOrderVerdict, ServerOrderResult>({
    cassette,
    words,
    options,
    points: orders.map(serverOrderCase),
    size: `${formatCount(orders.length, 'point')}: ${head}`,
    head: [head],
    verdicts: SERVER_ORDER_VERDICTS,
    check: (results) => checkReached(file, results),
    forJson,
    again: ({ name }) => againCommand({ file, point: name, words, options }),
    sweep: (swept) => sweepServerOrders({ ...swept, messages }),
  });
}

/** @throws McpRecordError SWEEP_NO_POINTS if no order came about */
function checkReached(file: string, results: readonly ServerOrderResult[]): void {
  if (results.some(({ verdict }) => verdict !== 'unreached')) return;
  const [first] = results;
  const why = `in none of ${formatCount(results.length, 'run')} the order came about: ${first?.why}`;
  throw noPoints({ file, shard: undefined, why, next: NOT_ALLOWED_NEXT });
}

const NOT_ALLOWED_NEXT =
  'See what the server says to the recorded client: mcp-record verify, or give it more time with --deadline.';

function forJson({ point, cause: _, ...result }: ServerOrderResult): object {
  const { order, isUnhurried: __, ...shown } = point;
  return { point: { ...shown, params: { moved: order.map(({ line }) => line) } }, ...result };
}
