import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Params, paramsOf, resultOf } from '../../protocol/message.ts';

import { hasNoEvents, isEventPoll } from './event-polls.ts';

export interface FollowUpOptions {
  request: SessionEntry;
  recorded: SessionEntry;
  live: JsonText;
  entries: readonly SessionEntry[];
}

/** The same request once more, with these params added, this long from now. */
export interface FollowUpRequest {
  params: Params;
  delay: Milliseconds;
}

const POLL_DEFAULT: Milliseconds = 200;
const TERMINAL = new Set(['completed', 'failed', 'cancelled']);

/**
 * What a live client would ask again where the cassette's had no need to: how often a task is polled, when an event comes and
 * how many pages a list has are the server's to decide, and differ from run to run.
 */
export function followUpRequest({ request, recorded, live, entries }: FollowUpOptions): FollowUpRequest | undefined {
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

/** Returns the text of the recorded request as it is asked once more. */
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
