import { order } from '../../faults/timing/order.ts';
import type { Noted } from './withheld-response-arrival.ts';

/** Whether the messages of a run came in a given order. */
export interface SentOrder {
  /** Whether the order came about, or a part of it with swapped messages that only the client can have ended. */
  fired: boolean;
  /** Whether it was only such a part. A client that ends well then has not been tested with the order. */
  isPartial?: true;
  /** Why the order did not come about, or not wholly. */
  unchanged?: string;
}

/**
 * Reads from the journal of a run whether messages came in a given order. Rule 1 is the fault `order`, and a later rule
 * observes what it has sent. `moved`: lines of the messages in this order.
 */
export function sentOrder(moved: readonly number[], journal: readonly Noted[]): SentOrder {
  const observed = journal.flatMap(({ rule, line }) => (rule > 1 && line !== undefined ? [line] : []));
  const all = [...new Set(observed)].filter((line) => moved.includes(line));
  const wrong = all.findIndex((line, at) => line !== moved[at]);
  // Messages that wait for others are sent without them when the session ends.
  const sent = wrong < 0 ? all : all.slice(0, wrong);
  if (wrong < 0 && journal.some(({ rule, unchanged }) => rule === 1 && unchanged === undefined)) return { fired: true };
  const why = journal.find(({ rule, unchanged }) => rule === 1 && unchanged !== undefined)?.unchanged;
  const isSwapped = sent.some((line) => moved.some((other) => other < line && !sent.includes(other)));
  // If a message was held back, the client may have failed because of that.
  const isOwnEnd = why === undefined || why === order.awaits;
  if (isSwapped && isOwnEnd) return { fired: true, isPartial: true, ...(order.awaits && { unchanged: order.awaits }) };
  const other = `the message at line ${all[wrong]} came before the one at line ${moved[wrong]}`;
  const unchanged = why ?? (wrong < 0 ? undefined : other);
  return { fired: false, ...(unchanged !== undefined && { unchanged }) };
}
