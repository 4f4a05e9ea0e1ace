import type { ConcurrentMessages } from './concurrent-messages.ts';

/** All orders of concurrent messages. Orders that a client cannot tell apart count once. */
export interface CountedOrders {
  /** Number of orders, with the recorded one. */
  total: bigint;
  /**
   * Number of messages that a message passes at most. There are further orders, but too many to count. Undefined: these
   * are all.
   */
  reach?: number;
  /** Returns the order with this number, below `total`. 0 is the recorded order. The items are indexes of messages. */
  at(number: bigint): number[];
}

/** Maximum distances between a message and one that it passes, from the largest. */
const REACHES: readonly number[] = [64, 12, 8, 5, 3, 2, 1];
/** Maximum number of states, and the same for each message of a long session. */
const STATES_MAX = 30_000;
const STATES_PER_MESSAGE = 12;

/** Counts the orders of concurrent messages. If there are too many states for that, messages pass fewer others. */
export function countOrders(group: ConcurrentMessages): CountedOrders {
  for (const reach of REACHES) {
    const layers = layersOf(group, reach);
    if (layers === undefined) continue;
    const isWhole = !passesFurther(group, reach);
    return {
      total: layers[0]!.values().next().value!.total,
      ...(!isWhole && { reach }),
      at: (n) => orderAt(layers, n),
    };
  }
  throw new Error('unreachable: with a reach of 1, a message has few states');
}

/** Reports whether a message could pass one that is further away. */
function passesFurther({ messages, precedes }: ConcurrentMessages, reach: number): boolean {
  return messages.some((_, second) => {
    for (let first = 0; first < second - reach; first++) if (!precedes(first, second)) return true;
    return false;
  });
}

/**
 * Messages that have been sent. Positions in both masks are relative to the first message that has not been sent.
 *
 * The orders that a client cannot tell apart are represented by the first of them in the alphabetical order of message
 * indexes. An order is such a first one if no message could move ahead of a later recorded one without a difference
 * (lexicographic normal form of a Mazurkiewicz trace).
 */
interface State {
  first: number;
  sent: bigint;
  /** Messages that could have moved ahead of one that has been sent. An order that goes on with them is not the first. */
  blocked: bigint;
  next: { message: number; state: State }[];
  /** Number of ways to go on. */
  total: bigint;
}

/** Concurrent messages, prepared for counting. */
interface Prepared extends ConcurrentMessages {
  reach: number;
  /** For each message, those within the reach that must come before it. */
  before: readonly (readonly number[])[];
  /** Whether there are orders that a client cannot tell apart. */
  hasCommuting: boolean;
}

function prepared(group: ConcurrentMessages, reach: number): Prepared {
  const { messages, precedes, commutes } = group;
  const near = messages.map((_, message) =>
    Array.from({ length: Math.min(reach, message) }, (_, distance) => message - distance - 1),
  );
  const before = near.map((others, message) => others.filter((other) => precedes(other, message)));
  const hasCommuting = near.some((others, message) => others.some((other) => commutes(other, message)));
  return { ...group, reach, before, hasCommuting };
}

function layersOf(given: ConcurrentMessages, reach: number): Map<string, State>[] | undefined {
  const group = prepared(given, reach);
  const { messages } = group;
  const most = Math.max(STATES_MAX, STATES_PER_MESSAGE * messages.length);
  const start: State = { first: 0, sent: 0n, blocked: 0n, next: [], total: 0n };
  const layers: Map<string, State>[] = [new Map([[keyOf(start), start]])];
  let count = 1;
  for (let sent = 0; sent < messages.length; sent++) {
    const layer = new Map<string, State>();
    for (const state of layers.at(-1)!.values()) {
      for (const message of sendable(group, state)) {
        const made = stateAfter(group, state, message);
        const key = keyOf(made);
        const known = layer.get(key) ?? made;
        if (known === made) {
          layer.set(key, made);
          count++;
        }
        state.next.push({ message, state: known });
      }
      if (count > most) return undefined;
    }
    layers.push(layer);
  }
  for (const state of layers.at(-1)!.values()) state.total = 1n;
  for (const layer of layers.slice(0, -1).reverse()) {
    for (const state of layer.values()) for (const { state: later } of state.next) state.total += later.total;
  }
  return layers;
}

function keyOf({ sent, blocked }: State): string {
  return `${sent} ${blocked}`;
}

/** Returns the messages that may come next, in recorded order. */
function sendable({ messages, before, reach }: Prepared, { first, sent, blocked }: State): number[] {
  const open: number[] = [];
  for (let message = first; message < messages.length && message <= first + reach; message++) {
    if (has(sent, message - first) || has(blocked, message - first)) continue;
    if (before[message]!.every((other) => other < first || has(sent, other - first))) open.push(message);
  }
  return open;
}

function stateAfter(group: Prepared, state: State, message: number): State {
  let [{ first, blocked }, sent] = [state, state.sent | bit(message - state.first)];
  if (group.hasCommuting) blocked = blockedAfter(group, { ...state, sent }, message);
  while (has(sent, 0)) {
    sent >>= 1n;
    blocked >>= 1n;
    first++;
  }
  return { first, sent, blocked, next: [], total: 0n };
}

/** Returns which messages are blocked once `message` has been sent. */
function blockedAfter(group: Prepared, { first, sent, blocked: before }: State, message: number): bigint {
  const { messages, precedes, commutes, reach } = group;
  let blocked = before;
  for (let other = first; other < messages.length && other <= first + reach; other++) {
    if (has(sent, other - first)) continue;
    const isIndependent = commutes(message, other) && !precedes(Math.min(message, other), Math.max(message, other));
    if (!isIndependent) blocked &= ~bit(other - first);
    else if (other < message) blocked |= bit(other - first);
  }
  return blocked;
}

function orderAt(layers: readonly Map<string, State>[], number: bigint): number[] {
  const order: number[] = [];
  let rest = number;
  for (let state = layers[0]!.values().next().value; state && state.next.length > 0; ) {
    const step = state.next.find(({ state: { total } }) => {
      if (rest < total) return true;
      rest -= total;
      return false;
    });
    if (step === undefined) break;
    order.push(step.message);
    state = step.state;
  }
  return order;
}

/** One mask for each position within the largest reach. */
const BITS: readonly bigint[] = Array.from({ length: REACHES[0]! + 1 }, (_, position) => 1n << BigInt(position));

function bit(position: number): bigint {
  return BITS[position]!;
}

function has(mask: bigint, position: number): boolean {
  return (mask & bit(position)) !== 0n;
}
