import type { Side } from '../../channel/frame.ts';
import { ORDER_GAP } from '../../faults/timing/order.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import type { FaultCase } from '../client/fault-cases.ts';
import type { GridPoint } from '../grid-text.ts';
import { concurrentMessages } from './concurrent-messages.ts';
import { countSwaps } from './draw-orders.ts';
import { mustPrecede, type OrderedMessage } from './ordered-message.ts';

/** Name of the fault, and beginning of the names of points: `order@4,3`. */
export const ORDER = 'order';

/** Reports whether the name of a point is that of an order. */
export function isOrderName(name: string): boolean {
  return name.startsWith(`${ORDER}@`);
}

export interface OrderCaseOptions {
  /** Messages of each session. */
  sessions: readonly (readonly OrderedMessage[])[];
  /** How long the next message of the order may take to come. */
  wait: Milliseconds;
  /** Gap between messages that the client has to read one by one. */
  gap?: Milliseconds;
}

/**
 * Returns the point in which the server sends some messages in another order. All other messages of `sessions` that have
 * no fixed order are sent as recorded.
 */
export function orderCase(order: readonly OrderedMessage[], options: OrderCaseOptions): FaultCase {
  const { name, fault, ...place } = orderTitle(order);
  const when: FaultCase['when'] = { from: 'server', line: place.line, nth: 1 };
  return { name, fault, params: paramsOf(order, options), ...place, when };
}

/** Returns the name of an order, and the first message that is sent too early. */
export function orderTitle(order: readonly OrderedMessage[]): GridPoint {
  const { early, passed } = firstEarly(order);
  const { message, line } = early;
  const swaps = countSwaps(order);
  const more = swaps > 1 ? `, ${swaps} swaps in all` : '';
  return {
    name: `${ORDER}@${positionsText(order.map(({ message }) => message))}`,
    fault: ORDER,
    message,
    line,
    title: `${swapTitle(early, passed)}${more}`,
  };
}

/** Number of times that the gap of {@link unhurried} is longer. */
const UNHURRIED_GAP = 10;

/** Returns the point of an order with a gap that lets also a busy machine read the messages one by one. */
export function unhurried(point: FaultCase): FaultCase {
  const { gap = ORDER_GAP } = (point.params ?? {}) as { gap?: Milliseconds };
  return { ...point, params: { ...point.params, gap: UNHURRIED_GAP * gap } };
}

/** Returns the title of an order in which a message comes before another one. */
export function swapTitle(early: Titled, passed: Titled & Pick<OrderedMessage, 'line'>): string {
  return `${titleBeside(early, passed)} before ${titleBeside(passed, early)} of line ${passed.line}`;
}

type Titled = Pick<OrderedMessage, 'title' | 'arguments'>;

/** Maximum length of an argument in a title. */
const ARGUMENT_MAX = 40;

/** Returns the title of a message, with the arguments of its call that differ from those of another one with this title. */
function titleBeside(one: Titled, other: Titled): string {
  const { title, arguments: own = {} } = one;
  if (title !== other.title) return title;
  const differ = Object.keys(own).filter((name) => canonicalJson(own[name]) !== canonicalJson(other.arguments?.[name]));
  const shown = differ.map((name) => `${name}: ${shortened(JSON.stringify(own[name]))}`);
  return shown.length === 0 ? title : `${title} (${shown.join(', ')})`;
}

function shortened(text: string): string {
  return text.length > ARGUMENT_MAX ? `${text.slice(0, ARGUMENT_MAX)}…` : text;
}

/** How long the next message may take to come in the first run, if the client is not as recorded. */
export const RECORDED_WAIT: Milliseconds = 1_000;

/**
 * Returns the point of the first run, in which the messages of all sessions are sent as recorded. Undefined: they have no
 * other order. A mock server alone may send a message earlier.
 */
export function recordedOrderCase(
  sessions: readonly (readonly OrderedMessage[])[],
  wait: Milliseconds,
): FaultCase | undefined {
  const [first] = concurrentIn(sessions);
  if (first === undefined) return undefined;
  const { message, line, title } = first;
  const params = paramsOf([first], { sessions, wait });
  return {
    name: `${ORDER}@recorded`,
    fault: ORDER,
    params,
    message,
    line,
    title,
    when: { from: 'server', line, nth: 1 },
  };
}

/** Returns the messages that have no fixed order, as recorded. */
function concurrentIn(sessions: readonly (readonly OrderedMessage[])[]): OrderedMessage[] {
  const groups = sessions.flatMap(concurrentMessages);
  return groups.flatMap(({ messages }) => messages).sort((one, other) => one.message - other.message);
}

function paramsOf(
  order: readonly OrderedMessage[],
  { sessions, wait, gap }: OrderCaseOptions,
): NonNullable<FaultCase['params']> {
  const moved = order.map(({ line }) => line);
  const [least, most] = [
    Math.min(...order.map(({ message }) => message)),
    Math.max(...order.map(({ message }) => message)),
  ];
  const others = concurrentIn(sessions).filter(({ line }) => !moved.includes(line));
  const before = others.filter(({ message }) => message < least);
  const after = others.filter(({ message }) => message > most);
  // Messages between those that a person has named keep no place of their own.
  const lines = [...before, ...order, ...after].map(({ line }) => line);
  return { lines, moved, wait: Math.ceil(wait), ...(gap !== undefined && { gap: Math.ceil(gap) }) };
}

/** Returns the first message that is sent too early, and the earliest recorded one that it passes. */
function firstEarly(order: readonly OrderedMessage[]): { early: OrderedMessage; passed: OrderedMessage } {
  const recorded = order.toSorted((one, other) => one.message - other.message);
  const at = order.findIndex((one, index) => one !== recorded[index]);
  return { early: order[at]!, passed: recorded[at]! };
}

/** Writes positions as `4,3` or, if three or more follow each other, as `9,1-8`. */
export function positionsText(positions: readonly number[]): string {
  const runs: number[][] = [];
  for (const position of positions) {
    const run = runs.at(-1);
    if (run?.at(-1) === position - 1) run.push(position);
    else runs.push([position]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join())).join();
}

/** Reads positions that {@link positionsText} wrote. Undefined: the text has another form. */
export function positionsOf(text: string): number[] | undefined {
  const positions: number[] = [];
  for (const item of text.split(',')) {
    const [, first = '', last = first] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(item) ?? [];
    if (first === '' || Number(last) < Number(first) || Number(last) - Number(first) > RANGE_MAX) return undefined;
    for (let position = Number(first); position <= Number(last); position++) positions.push(position);
  }
  return positions;
}

const RANGE_MAX = 100_000;

/** The order that positions name, or why they name none. */
export type NamedOrder = { order: readonly OrderedMessage[] } | { why: string };

/**
 * Returns the order in which the messages at these positions are to be sent. `sessions`: messages of each session, which
 * `side` has sent.
 */
export function namedOrder(
  sessions: readonly (readonly OrderedMessage[])[],
  positions: readonly number[],
  side: Side = 'server',
): NamedOrder {
  const session = sessions.find((one) => one.some(({ message }) => message === positions[0])) ?? [];
  const indexes = positions.map((position) => session.findIndex(({ message }) => message === position));
  const missing = positions[indexes.indexOf(-1)];
  if (missing !== undefined) return { why: `message ${missing} is none of its ${side}'s messages in that session` };
  if (new Set(positions).size < positions.length) return { why: 'a message is in it twice' };
  for (const [at, first] of indexes.entries()) {
    for (const second of indexes.slice(at + 1)) {
      if (second < first && mustPrecede(session, second, first)) {
        const [one, other] = [session[second]!.message, session[first]!.message];
        return {
          why: `message ${other} (line ${session[first]!.line}) cannot come before message ${one} (line ${session[second]!.line}), which causality puts first`,
        };
      }
    }
  }
  const order = indexes.map((index) => session[index]!);
  return countSwaps(order) === 0 ? { why: 'it is the recorded order' } : { order };
}
