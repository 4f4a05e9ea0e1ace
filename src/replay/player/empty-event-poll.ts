import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { paramsOf, resultOf } from '../../protocol/message.ts';
import { isPoll, mintsCursor } from '../../protocol/method-table.ts';
import type { RecordedRequest } from '../match/recorded-request.ts';

/**
 * Returns a poll result without events, if the recorded result was already sent and holds no events unknown to the
 * client. Returns `undefined` if the recorded answer is to be sent, as to a repeated poll for the same position.
 */
export function emptyEventPoll(
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

/** Reports whether requests of this method ask for the events since a position. */
export function isEventPoll(method: string): boolean {
  return isPoll(method) && mintsCursor(method);
}

/**
 * Reports whether the recorded answer to a poll has no events. The number of such polls depends on the client's timer.
 */
export function isVainPoll({ method }: Pick<RecordedRequest, 'method'>, answer: SessionEntry | undefined): boolean {
  return isEventPoll(method) && hasNoEvents(resultOf(answer?.message));
}

/** Reports whether a poll result has no events. */
export function hasNoEvents({ events }: Record<string, unknown>): boolean {
  return Array.isArray(events) && events.length === 0;
}
