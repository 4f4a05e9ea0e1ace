import type { Move } from '../../cassette/correlate/session-entries.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest, type Params, paramsOf } from '../../protocol/message.ts';

export interface FollowUpOptions {
  request: Move;
  recorded: Move;
  live: JsonText;
  moves: readonly Move[];
}

/** The same request once more, with these params added, this long from now. */
export interface FollowUp {
  params: Params;
  delay: Milliseconds;
}

const POLL_DEFAULT: Milliseconds = 200;
const TERMINAL = new Set(['completed', 'failed', 'cancelled']);

/**
 * What a live client would ask again where the tape's had no need to: how often a task is polled and how many pages a
 * list has are the server's to decide, and differ from run to run.
 */
export function followUp({ request, recorded, live, moves }: FollowUpOptions): FollowUp | undefined {
  if (!isRequest(request.message)) return undefined;
  const now = resultOf(live);
  const then = resultOf(recorded.json);
  if (request.message.method === 'tasks/get') {
    const settled = now.status === then.status || TERMINAL.has(String(now.status));
    if (settled || now.status === undefined || isPolledAgain(request, moves)) return undefined;
    const interval = now.pollInterval ?? now.pollIntervalMs;
    return { params: {}, delay: typeof interval === 'number' ? interval : POLL_DEFAULT };
  }
  const hasMore = typeof now.nextCursor === 'string' && then.nextCursor === undefined;
  return hasMore ? { params: { cursor: now.nextCursor }, delay: 0 } : undefined;
}

function isPolledAgain({ index, message }: Move, moves: readonly Move[]): boolean {
  const task = isRequest(message) && paramsOf(message).taskId;
  return moves.some(
    (later) =>
      later.index > index &&
      isRequest(later.message) &&
      later.message.method === 'tasks/get' &&
      paramsOf(later.message).taskId === task,
  );
}

function resultOf(json: JsonText | undefined): Record<string, unknown> {
  const value = json?.value;
  return isObject(value) && isObject(value.result) ? value.result : {};
}
