import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { paramsOf, resultOf } from '../../protocol/message.ts';
import { isPoll, mintsCursor } from '../../protocol/method-rules.ts';
import type { RecordedRequest } from '../match/recorded-request.ts';

/**
 * Returns what a server answers to a poll for events when nothing new has happened: the recorded result has served before, and
 * holds nothing that the client lacks. Undefined: the recorded answer is to be sent, as to a poll for the same position
 * once more.
 */
export function quietPoll(
  { uses, repeat, method, entry }: RecordedRequest,
  answer: SessionEntry | undefined,
  live: JsonText,
): Record<string, unknown> | undefined {
  const result = resultOf(answer?.message);
  if (uses < 2 || repeat !== 'last' || !isEventPoll(method) || !Array.isArray(result.events)) return undefined;
  const asked = paramsOf(live.value).cursor ?? null;
  const isRetry = asked === (paramsOf(entry.message).cursor ?? null) && asked !== (result.cursor ?? null);
  if (isRetry) return undefined;
  const { hasMore, truncated, ...rest } = result;
  return {
    ...rest,
    events: [],
    ...(hasMore !== undefined && { hasMore: false }),
    ...(truncated !== undefined && { truncated: false }),
  };
}

/** Whether requests of this method ask for the events since a position. */
export function isEventPoll(method: string): boolean {
  return isPoll(method) && mintsCursor(method);
}

/** Whether the recorded answer to a poll for events brought none: how often a client polls in vain depends on its timer. */
export function isVainPoll({ method }: Pick<RecordedRequest, 'method'>, answer: SessionEntry | undefined): boolean {
  return isEventPoll(method) && hasNoEvents(resultOf(answer?.message));
}

/** Whether the result of a poll is that nothing has happened. */
export function hasNoEvents({ events }: Record<string, unknown>): boolean {
  return Array.isArray(events) && events.length === 0;
}
