import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ResumedStreams } from '../../cassette/correlate/resumed-streams.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { isNotification, isObject, isRequest, isResponse, paramsOf, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { type Cause, RequestsInFlight } from './requests-in-flight.ts';

/** Returns the cause of every server entry, by the entry's index. Client entries have none. */
export function causesOf(entries: readonly SessionEntry[], links: Links): (Cause | undefined)[] {
  const causes: (Cause | undefined)[] = [];
  const flight = new RequestsInFlight(entries, links);
  const tasks = new Map<string, number>();
  const exchanges = new Exchanges();
  const context: Context = { entries, links, flight, tasks, exchanges };
  for (const entry of entries) {
    exchanges.pass(entry);
    if (entry.from === 'client') {
      flight.addClientEntry(entry);
      causes.push(undefined);
      continue;
    }
    const cancelledCause = causes[links.cancelledRequestOf.get(entry.index) ?? -1];
    causes.push(cancelledCause ?? causeOf(entry, context));
    const request = links.requestOf.get(entry.index);
    if (request === undefined) continue;
    rememberTask(entry, request, tasks);
    flight.endRequest(request);
  }
  return causes;
}

interface Context {
  entries: readonly SessionEntry[];
  links: Links;
  flight: RequestsInFlight;
  /** Request that created a task, by task id. */
  tasks: Map<string, number>;
  exchanges: Exchanges;
}

function causeOf(entry: SessionEntry, context: Context): Cause {
  const { links, flight, exchanges } = context;
  const { index, message } = entry;
  const request = links.requestOf.get(index);
  if (request !== undefined) return withTrigger(causedBy(request, 'answers it'), entry, context);
  const progressRequest = links.progressRequestOf.get(index);
  if (progressRequest !== undefined) return causedBy(progressRequest, 'carries its progress token');
  const streamed = exchanges.requestOf(entry);
  if (streamed !== undefined) return withTrigger(causedBy(streamed, 'came on its stream'), entry, context);
  const listen = listenRequestOf(entry, flight);
  if (listen !== undefined) return withTrigger(causedBy(listen, 'carries its subscription id'), entry, context);
  const task = taskIdIn(entry);
  const taskRequest = task === undefined ? undefined : (flight.taskResultRequest(task) ?? context.tasks.get(task));
  if (taskRequest !== undefined) return causedBy(taskRequest, 'speaks of its task');
  if (isRequest(message)) {
    const serverRequest = flight.causeOfServerRequest(index);
    if (serverRequest) return serverRequest;
  }
  return flight.ambientCause();
}

type RequestCause = Cause & { entry: number };

/** Kinds of frames without a message that belong to the HTTP exchange of their stream. */
const FRAMES_OF_STREAM: ReadonlySet<Frame['kind']> = new Set(['sse', 'close', 'http-response', 'line']);

function causedBy(request: number, why: string): RequestCause {
  return { entry: request, ambient: false, guess: false, why };
}

/** Maps each HTTP exchange to its request, which also owns the frames of streams that resume the exchange. */
class Exchanges {
  readonly #conversations = new ResumedStreams();
  /** Request of a conversation. Undefined: a batch with several requests. */
  readonly #requests = new Map<number, number | undefined>();
  /** Last request of a conversation. */
  readonly #latest = new Map<number, number>();

  pass(entry: SessionEntry): void {
    this.#conversations.add(entry);
    const conversation = this.#conversations.of(entry.frame);
    if (conversation === undefined || entry.from === 'server' || !isRequest(entry.message)) return;
    this.#requests.set(conversation, this.#requests.has(conversation) ? undefined : entry.index);
    this.#latest.set(conversation, entry.index);
  }

  requestOf({ frame, message }: SessionEntry): number | undefined {
    // A response without an open request: it was sent twice, or its id is unknown.
    if (isResponse(message)) return this.#latest.get(this.#conversations.of(frame) ?? -1);
    if (!FRAMES_OF_STREAM.has(frame.kind) && !isRequest(message) && !isNotification(message)) return undefined;
    return this.#requests.get(this.#conversations.of(frame) ?? -1);
  }
}

/** First notification of a subscription: its confirmation. */
const CONFIRMATIONS = new Set(['notifications/subscriptions/acknowledged', 'notifications/events/active']);

/**
 * Adds the client's latest entry since the subscription request, which may have triggered the frame. The confirmation
 * is caused by the request alone.
 */
function withTrigger(cause: RequestCause, { message }: SessionEntry, { flight }: Context): Cause {
  const isFirst = isNotification(message) && CONFIRMATIONS.has(message.method);
  const after = flight.isSubscription(cause.entry) && !isFirst ? flight.latestEntryAfter(cause.entry) : undefined;
  return after === undefined ? cause : { ...cause, after };
}

/**
 * Returns the subscription request named in a notification (2026-07-28): by the id in `_meta`, or by `requestId` in a
 * cancellation.
 */
function listenRequestOf({ json, message }: SessionEntry, flight: RequestsInFlight): number | undefined {
  if (json === undefined || !isNotification(message)) return undefined;
  const cancelled = message.method === 'notifications/cancelled';
  const path = cancelled ? ['params', 'requestId'] : ['params', '_meta', META.subscriptionId];
  const token = scalarKeyAt(json, path);
  return token === undefined ? undefined : flight.listenRequest(token);
}

function taskIdIn({ message }: SessionEntry): string | undefined {
  if (!isRequest(message) && !isNotification(message)) return undefined;
  const { method } = message;
  const params = paramsOf(message);
  const related = metaOf(params)[META.relatedTask];
  const task = method.startsWith('notifications/tasks') ? params.taskId : isObject(related) && related.taskId;
  return typeof task === 'string' ? task : undefined;
}

/**
 * Stores the id of a task that a response created: `{task: {taskId}}` in 2025-11-25, `{resultType: "task", taskId}` in
 * 2026-07-28.
 */
function rememberTask({ message }: SessionEntry, request: number, tasks: Map<string, number>): void {
  if (!isResponse(message)) return;
  const result = resultOf(message);
  const task = result.resultType === 'task' ? result.taskId : isObject(result.task) && result.task.taskId;
  if (typeof task === 'string') tasks.set(task, request);
}
