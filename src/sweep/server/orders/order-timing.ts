import type { SessionEntry } from '../../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../../contract/message-title.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';
import { isRequest } from '../../../protocol/message.ts';
import type { PlayedSession } from '../play-session.ts';
import type { ReorderedSession } from './reorder-session.ts';

/** When the messages of an order were sent, each on a connection of its own. */
export interface OrderTiming {
  /** Reason why the server may have answered a request before it got the message after it. Undefined: both were with it. */
  apart: string | undefined;
  /** Whether there was so much time between the messages that the server got them in this order, on a busy machine too. */
  isSurelyOrdered: boolean;
}

/** Part of a request's duration in which the next message has to be sent, to be with the server before the answer. */
const IN_FLIGHT = 1 / 2;
/** Time between two messages after which they surely arrive in their order. */
const IN_ORDER: Milliseconds = 25;

/** Returns the timing of an order in a session. The session is as played, with its own plan. */
export function orderTiming({ run }: PlayedSession, { recorded, moved }: ReorderedSession): OrderTiming {
  const { plan, sentMessages, exchanges } = run;
  const timing: OrderTiming = { apart: undefined, isSurelyOrdered: true };
  for (const [at, event] of moved.entries()) {
    const next = moved[at + 1];
    if (next === undefined || recorded[event]! < recorded[next]!) continue;
    const early = ofEvent(event);
    const gap = Math.min(...sentAt(ofEvent(next))) - Math.max(...sentAt(early));
    timing.isSurelyOrdered &&= gap >= IN_ORDER;
    const requests = early.filter(({ message }) => isRequest(message));
    const answered = requests.filter(({ index }) => gap > durationOf(index) * IN_FLIGHT);
    if (requests.length > 0 && answered.length === requests.length) timing.apart ??= apartReason(answered[0]!);
  }
  return timing;

  function ofEvent(event: number): SessionEntry[] {
    return plan.entries.filter((entry) => entry.event === event);
  }

  function sentAt(entries: readonly SessionEntry[]): Milliseconds[] {
    return entries.flatMap(({ index }) => sentMessages.get(index) ?? []);
  }

  /** A request that is not answered stays in flight. */
  function durationOf(index: number): Milliseconds {
    const exchange = exchanges.find(({ request }) => request.index === index);
    return exchange?.duration ?? Number.POSITIVE_INFINITY;
  }
}

function apartReason({ message, line }: SessionEntry): string {
  return `${messageTitle(message)} of line ${line} is answered so early that the server may get the next message only after that`;
}
