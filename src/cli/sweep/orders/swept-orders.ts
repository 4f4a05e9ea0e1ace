import { grouped } from '../../../kernel/format-count.ts';
import { concurrentMessages } from '../../../sweep/orders/concurrent-messages.ts';
import { type DrawnOrders, drawOrders } from '../../../sweep/orders/draw-orders.ts';
import { type OrderedMessage, withoutMessages } from '../../../sweep/orders/ordered-message.ts';
import { seedFrom } from '../../options/seed-option.ts';
import { badSweep, noPoints, positiveNumber, type SweepCommandOptions, selectPoints } from '../sweep-options.ts';
import { orderOfPoint } from './order-point.ts';

/** Orders of messages that a sweep tries. */
export interface SweptOrders {
  orders: readonly (readonly OrderedMessage[])[];
  /** Says which orders these are. */
  head: string;
}

/** Maximum number of orders of a sweep. */
const ORDERS_MAX = 100_000;
const SEED = 1;

export interface SweptOrdersOptions {
  /** The cassette. */
  file: string;
  /** Lines of the messages that the program under test gets. */
  lines: ReadonlySet<number>;
  options: SweepCommandOptions;
}

/**
 * Returns the orders that `--orders` draws or `--point` names.
 * @throws McpRecordError USAGE_BAD_SWEEP, USAGE_BAD_SEED, SWEEP_NO_POINTS
 */
export function sweptOrders(
  sessions: readonly (readonly OrderedMessage[])[],
  { file, lines, options }: SweptOrdersOptions,
): SweptOrders {
  const { shard, faults } = options;
  if (faults !== undefined) {
    const why = 'an order of messages has no faults';
    throw badSweep({ option: '--faults', text: faults, why, next: 'Leave it out, or sweep with these faults apart.' });
  }
  const met = sessions.map((session) => withoutMessages(session, ({ line }) => lines.has(line)));
  const only = { point: [], ...(shard !== undefined && { shard }) };
  const count = orderCount(options);
  if (count === undefined) {
    const named = options.point.map((name) => ({ name, order: orderOfPoint(sessions, name, options) }));
    const missed = named.find(({ order }) => order.some(({ line }) => !lines.has(line)));
    if (missed) throw noPoints({ file, shard: undefined, why: notMet(missed), next: NOT_MET_NEXT });
    const points = selectPoints(named, only);
    if (points.length === 0) throw noPoints({ file, shard, why: '', next: '' });
    const head = points.length === 1 ? 'one order' : `${points.length} orders`;
    return { orders: points.map(({ order }) => order), head };
  }
  const groups = met.flatMap(concurrentMessages);
  const seed = seedFrom(options.seed) ?? SEED;
  const drawn = drawOrders(groups, { count, seed });
  if (drawn.orders.length === 0)
    throw noPoints({ file, shard: undefined, ...(options.server ? ONE_ORDER_OF_CLIENT : ONE_ORDER) });
  const all = drawn.orders.map((order) => ({ name: order.map(({ message }) => message).join(), order }));
  const points = selectPoints(all, only);
  if (points.length === 0) throw noPoints({ file, shard, why: '', next: '' });
  const orders = points.map(({ order }) => order);
  return {
    orders,
    head: shard === undefined ? headText(drawn, seed) : `${grouped(orders.length)} of ${headText(drawn, seed)}`,
  };
}

const NOT_MET_NEXT = 'Name an order that mcp-record sweep --orders 100 lists for this client.';

function notMet({ name }: { name: string }): string {
  return `the client does not get all messages of ${name}, in the recorded order either`;
}

/** Reason for a cassette without another order. */
const ONE_ORDER = {
  why: 'its server can send its messages in one order only: each answers a request that came after the message before',
  next: 'Record a client that makes several requests at once, or a server that also sends notifications.',
};

const ONE_ORDER_OF_CLIENT = {
  why: 'its client can send its messages in one order only: each follows an answer to the message before',
  next: 'Record a client that makes several requests at once.',
};

/**
 * Parses `--orders`.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function orderCount({ orders }: Pick<SweepCommandOptions, 'orders'>): number | undefined {
  const count = positiveNumber('--orders', orders);
  if (count === undefined || count <= ORDERS_MAX) return count;
  const why = `a sweep has at most ${grouped(ORDERS_MAX)} orders`;
  throw badSweep({
    option: '--orders',
    text: String(orders),
    why,
    next: 'Try fewer, and then others with another --seed.',
  });
}

function headText({ orders, of, reach }: DrawnOrders, seed: number): string {
  const other = 'other than the recorded one';
  const which =
    reach === undefined ? '' : `, in which no message passes more than ${reach} others (more are too many to count)`;
  const all = orders.length === 1 ? 'the only order' : `all ${grouped(orders.length)} orders`;
  if (BigInt(orders.length) === of) return `${all} ${other}${which}`;
  const more = `more with a larger --orders, others with another --seed`;
  return `${grouped(orders.length)} of ${bigText(of)} orders ${other}${which}, drawn with --seed ${seed}: ${more}`;
}

/** Formats a number, if it is very large only about. */
function bigText(number: bigint): string {
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? grouped(Number(number)) : `about 10^${String(number).length - 1}`;
}
