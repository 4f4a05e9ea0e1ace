import type { Cassette } from '../../../cassette/cassette.ts';
import type { FaultTransport } from '../../../faults/fault.ts';
import { systemClock as clock, type Milliseconds } from '../../../kernel/clock.ts';
import type { FaultCase } from '../../../sweep/client/fault-cases.ts';
import type { GridPoint } from '../../../sweep/grid-text.ts';
import { clientMessageOrder } from '../../../sweep/orders/client-message-order.ts';
import { failingOrder } from '../../../sweep/orders/failing-order.ts';
import {
  isOrderName,
  namedOrder,
  ORDER,
  orderCase,
  orderTitle,
  positionsOf,
  RECORDED_WAIT,
  recordedOrderCase,
} from '../../../sweep/orders/order-cases.ts';
import type { OrderedMessage } from '../../../sweep/orders/ordered-message.ts';
import { serverMessageOrders } from '../../../sweep/orders/server-message-order.ts';
import type { FailingClientOptions } from '../../../sweep/shrink/failing-client.ts';
import { type FailingProgram, isFailure, isSameFailure } from '../../../sweep/shrink/same-failure.ts';
import { badSweep, type SweepCommandOptions } from '../sweep-options.ts';

export interface OrderPointOptions {
  cassette: Cassette;
  transport: FaultTransport;
  request: {
    /** Name of the point. */
    name: string;
    params?: Readonly<Record<string, unknown>> | undefined;
    /** Command of the client. */
    words: readonly string[];
  };
  target: FailingClientOptions['target'];
}

/** An order of messages, with the client under test. */
export interface OrderPoint {
  point: FaultCase;
  /** Lines of the messages in this order. */
  lines: readonly number[];
  /** Point of the run in the recorded order. Absent: the messages have one order. */
  baseline?: FaultCase;
  program(limits: Pick<FailingClientOptions, 'deadline' | 'unserved'>): FailingProgram;
  /** Finds fewer lines that are enough for the failure. */
  narrow(deadline: Milliseconds): Promise<readonly number[]>;
}

/**
 * Finds an order of messages in a cassette.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function orderPoint({ cassette, transport, request, target }: OrderPointOptions): OrderPoint {
  refuseParams(request);
  const { name, words } = request;
  const sessions = serverMessageOrders(cassette, transport);
  const order = orderOfPoint(sessions, name);
  const baseline = recordedOrderCase(sessions, RECORDED_WAIT);
  const program: OrderPoint['program'] = (limits) =>
    failingOrder({ command: words, env: process.env, clock, ...limits, target, transport });
  const lines = order.map(({ line }) => line);
  return {
    ...(baseline && { baseline }),
    point: orderCase(order, { sessions, wait: 0 }),
    lines,
    program,
    narrow: (deadline) => enoughLines(lines, program({ deadline }), cassette),
  };
}

/** An order of messages of the recorded client, with the server under test. */
export interface ServerOrderPoint extends Pick<OrderPoint, 'lines'> {
  point: GridPoint;
  program(): FailingProgram;
  /** Finds fewer lines that are enough for the failure. */
  narrow(): Promise<readonly number[]>;
}

export interface ServerOrderPointOptions extends Pick<OrderPointOptions, 'cassette' | 'request'> {
  /** Returns the server under test. */
  program(): FailingProgram;
}

/**
 * Finds an order of messages of the client in a cassette.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function serverOrderPoint({ cassette, request, program }: ServerOrderPointOptions): ServerOrderPoint {
  refuseParams(request);
  const order = orderOfPoint([clientMessageOrder(cassette)], request.name, { server: true });
  const lines = order.map(({ line }) => line);
  return { point: orderTitle(order), lines, program, narrow: () => enoughLines(lines, program(), cassette) };
}

function refuseParams({ params }: OrderPointOptions['request']): void {
  if (params === undefined) return;
  const why = 'an order has no parameters';
  throw badSweep({ option: 'params', text: JSON.stringify(params), why, next: 'Leave them out.' });
}

/** Maximum number of swaps that are tried alone. */
const TRIES_MAX = 20;

/** Returns the lines of two messages whose swap is enough for the same failure, or else all lines of the order. */
async function enoughLines(
  lines: readonly number[],
  program: FailingProgram,
  cassette: Cassette,
): Promise<readonly number[]> {
  const swaps = lines.flatMap((early, at) => lines.slice(at + 1).flatMap((one) => (one < early ? [[early, one]] : [])));
  if (swaps.length < 2) return lines;
  const failure = await program.attempt(cassette, lines, false);
  if (!isFailure(failure)) return lines;
  for (const swap of swaps.slice(0, TRIES_MAX)) {
    if (isSameFailure(failure, await program.attempt(cassette, swap, true))) return swap;
  }
  return lines;
}

/**
 * Returns the order of a point such as `order@4,3`.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function orderOfPoint(
  sessions: readonly (readonly OrderedMessage[])[],
  name: string,
  { server }: Pick<SweepCommandOptions, 'server'> = {},
): readonly OrderedMessage[] {
  const bad = (why: string, next: string) => badSweep({ option: '--point', text: name, why, next });
  if (!isOrderName(name))
    throw bad('other points are orders of messages', 'Run the points of faults in a sweep of their own.');
  const positions = positionsOf(name.slice(ORDER.length + 1));
  if (positions === undefined)
    throw bad('its messages are no numbers with commas between them', 'Write, for example, --point order@4,3.');
  const found = namedOrder(sessions, positions, server ? 'client' : 'server');
  if ('order' in found) return found.order;
  throw bad(found.why, `Name an order that mcp-record sweep ${server ? '--server ' : ''}--orders 100 lists.`);
}
