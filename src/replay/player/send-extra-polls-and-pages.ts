import { ListMap } from '../../cassette/correlate/list-map.ts';
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

/** Number of pages in a row that came before. A server may have reasons for some that are empty. */
const REPEATED_PAGES_MAX = 10;

/**
 * Reports whether the pages of a list lead nowhere: the cursor of the last one came before, or the last pages did.
 * `results` are the answers to one recorded request, in their order.
 */
export function isEndlessList(results: readonly Readonly<Record<string, unknown>>[]): boolean {
  const last = results.at(-1)?.nextCursor;
  if (typeof last !== 'string') return false;
  if (results.slice(0, -1).some(({ nextCursor }) => nextCursor === last)) return true;
  const seen = new Set<string>();
  let repeated = 0;
  for (const page of results.map(contentOf)) {
    repeated = seen.has(page) ? repeated + 1 : 0;
    seen.add(page);
  }
  return repeated >= REPEATED_PAGES_MAX;
}

const contents = new WeakMap<object, string>();

/** Returns the text of a page without its cursor. A long list asks for it with each page. */
function contentOf(result: Readonly<Record<string, unknown>>): string {
  const { nextCursor: _, ...page } = result;
  const text = contents.get(result) ?? JSON.stringify(page);
  contents.set(result, text);
  return text;
}

/** Requests that a live client has to repeat although the recorded one did not. */
export class FollowUps {
  #count = 0;
  /** Results of the pages of lists, by the recorded request that they answer. */
  readonly #pages = new ListMap<SessionEntry, Readonly<Record<string, unknown>>>();

  /** Returns the next request after an answer. Undefined: there is none, or the list does not end. */
  next(options: FollowUpOptions): FollowUpRequest | undefined {
    const next = repeatPollOrPage(options);
    if (next?.params.cursor === undefined || isPollRequest(options.request)) return next;
    this.#pages.add(options.request, resultOf(options.live.value));
    return isEndlessList(this.#pages.get(options.request)!) ? undefined : next;
  }

  id(): string {
    return `mcp-record:${this.#count++}`;
  }
}

function isPollRequest({ message }: SessionEntry): boolean {
  return isRequest(message) && isEventPoll(message.method);
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
