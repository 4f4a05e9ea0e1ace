import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Params, paramsOf, resultOf } from '../../protocol/message.ts';

import { hasNoEvents, isEventPoll } from './empty-event-poll.ts';

export interface FollowUpOptions {
  request: SessionEntry;
  recorded: SessionEntry;
  live: JsonText;
  entries: readonly SessionEntry[];
}

/** A repetition of a request, with additional params and a delay. */
export interface FollowUpRequest {
  params: Params;
  delay: Milliseconds;
}

const POLL_DEFAULT: Milliseconds = 200;
const TERMINAL = new Set(['completed', 'failed', 'cancelled']);

/**
 * Returns the request that a live client has to repeat although the recorded one did not. The number of task polls, the
 * time of events and the number of list pages are decided by the server and differ between runs.
 */
export function repeatPollOrPage({ request, recorded, live, entries }: FollowUpOptions): FollowUpRequest | undefined {
  if (!isRequest(request.message)) return undefined;
  const now = resultOf(live.value);
  const then = resultOf(recorded.json?.value);
  if (request.message.method === 'tasks/get') {
    const settled = now.status === then.status || TERMINAL.has(String(now.status));
    if (settled || now.status === undefined || isPolledAgain(request, entries)) return undefined;
    const interval = now.pollInterval ?? now.pollIntervalMs;
    return { params: {}, delay: typeof interval === 'number' ? interval : POLL_DEFAULT };
  }
  if (isEventPoll(request.message.method)) {
    if (!hasNoEvents(now) || hasNoEvents(then)) return undefined;
    const delay = now.hasMore === true ? 0 : now.nextPollMs;
    return { params: { cursor: now.cursor ?? null }, delay: typeof delay === 'number' ? delay : POLL_DEFAULT };
  }
  const hasMore = typeof now.nextCursor === 'string' && then.nextCursor === undefined;
  return hasMore ? { params: { cursor: now.nextCursor }, delay: 0 } : undefined;
}

/** Returns the text of the repeated request. */
export function followUpText(request: string, id: string, { params }: FollowUpRequest): string {
  const message: Record<string, unknown> = JSON.parse(request);
  return JSON.stringify({ ...message, id, params: { ...paramsOf(message), ...params } });
}

function isPolledAgain({ index, message }: SessionEntry, entries: readonly SessionEntry[]): boolean {
  const task = isRequest(message) && paramsOf(message).taskId;
  return entries.some(
    (later) =>
      later.index > index &&
      isRequest(later.message) &&
      later.message.method === 'tasks/get' &&
      paramsOf(later.message).taskId === task,
  );
}
