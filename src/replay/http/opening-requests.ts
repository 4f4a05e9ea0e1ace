import { isRequest, isResponse } from '../../protocol/message.ts';
import { isStream, type RepeatOption, repeatOf } from '../../protocol/method-table.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';

/** Requests of a cassette, by the indexes of their entries. */
export interface Opening {
  /** Requests with which a client begins: all up to the answer to the first one that is answered only once. */
  begins: ReadonlySet<number>;
  /** Requests that are answered only once, such as calls. */
  once: readonly number[];
}

/** Returns the requests with which a new client may begin a cassette, and those that a pass through it answers once. */
export function openingOf({ entries, links, rejections }: ReplayPlan, repeat?: RepeatOption): Opening {
  const requests = entries.filter(({ from, message }) => from === 'client' && isRequest(message));
  const once = requests.flatMap(({ index, message, match }) => {
    // A request with wrong headers or metadata is rejected each time (2026-07-28, "Error Handling").
    if (rejections.has(index)) return [];
    const answer = entries[links.answerOf.get(index) ?? -1]?.message;
    const result = isResponse(answer) ? answer.result : undefined;
    const rule = match?.repeat ?? (isRequest(message) ? repeatOf(message.method, repeat, result) : undefined);
    return rule === 'once' ? [index] : [];
  });
  const opens = (index: number) => {
    const { message } = entries[index]!;
    return isRequest(message) && (message.method === 'initialize' || isStream(message.method));
  };
  const first = once.find((index) => !opens(index));
  const end = first === undefined ? entries.length : (links.answerOf.get(first) ?? first + 1);
  return { begins: new Set(requests.map(({ index }) => index).filter((index) => index < end)), once };
}
