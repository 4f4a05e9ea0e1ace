import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ResumedStreams } from '../../cassette/correlate/resumed-streams.ts';
import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { isNotification, isObject, isRequest, isResponse, paramsOf, resultOf } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { LISTEN } from '../../protocol/methods.ts';
import { type Cause, RequestsInFlight } from './requests-in-flight.ts';

/** Finds the owner of every entry of the server, by position, from the cassette alone. Moves of the client have none. */
export function causesOf(entries: readonly SessionEntry[], links: Links): (Cause | undefined)[] {
  const owners: (Cause | undefined)[] = [];
  const flight = new RequestsInFlight(entries, links);
  const tasks = new Map<string, number>();
  const exchanges = new Exchanges();
  const context: Context = { entries, links, flight, tasks, exchanges };
  for (const entry of entries) {
    exchanges.pass(entry);
    if (entry.from === 'client') {
      flight.clientMoved(entry);
      owners.push(undefined);
      continue;
    }
    const withdrawn = owners[links.cancelledBy.get(entry.index) ?? -1];
    owners.push(withdrawn ?? ownerOf(entry, context));
    const answered = links.requestOf.get(entry.index);
    if (answered === undefined) continue;
    rememberTask(entry, answered, tasks);
    flight.ended(answered);
  }
  return owners;
}

interface Context {
  entries: readonly SessionEntry[];
  links: Links;
  flight: RequestsInFlight;
  /** Task id → the request that created it. */
  tasks: Map<string, number>;
  exchanges: Exchanges;
}

function ownerOf(entry: SessionEntry, context: Context): Cause {
  const { links, flight, exchanges } = context;
  const { index, message } = entry;
  const request = links.requestOf.get(index);
  if (request !== undefined) return subscribed(named(request, 'answers it'), entry, context);
  const progressing = links.progressOf.get(index);
  if (progressing !== undefined) return named(progressing, 'carries its progress token');
  const carrying = exchanges.requestOf(entry);
  if (carrying !== undefined) return subscribed(named(carrying, 'came on its stream'), entry, context);
  const listen = listenOf(entry, flight);
  if (listen !== undefined) return subscribed(named(listen, 'carries its subscription id'), entry, context);
  const task = taskNamed(entry);
  const tasked = task === undefined ? undefined : (flight.waitingFor(task) ?? context.tasks.get(task));
  if (tasked !== undefined) return named(tasked, 'speaks of its task');
  if (isRequest(message)) {
    const asking = flight.asking(index);
    if (asking) return asking;
  }
  return flight.ambient();
}

type Named = Cause & { entry: number };

/** What is no message, and lies on a stream over HTTP. */
const ON_STREAM: ReadonlySet<Frame['kind']> = new Set(['sse', 'close', 'http-response', 'line']);

function named(request: number, why: string): Named {
  return { entry: request, ambient: false, guess: false, why };
}

/** What each exchange over HTTP was made for: what comes on its stream, or on one that resumes it, is about that. */
class Exchanges {
  readonly #conversations = new ResumedStreams();
  /** Conversation → its request; undefined where it has several, in a batch. */
  readonly #requests = new Map<number, number | undefined>();
  /** Conversation → its last request. */
  readonly #latest = new Map<number, number>();

  pass(entry: SessionEntry): void {
    this.#conversations.pass(entry);
    const conversation = this.#conversations.of(entry.frame);
    if (conversation === undefined || entry.from === 'server' || !isRequest(entry.message)) return;
    this.#requests.set(conversation, this.#requests.has(conversation) ? undefined : entry.index);
    this.#latest.set(conversation, entry.index);
  }

  requestOf({ frame, message }: SessionEntry): number | undefined {
    // It answers nothing: an answer given twice, or under an id that nobody used.
    if (isResponse(message)) return this.#latest.get(this.#conversations.of(frame) ?? -1);
    if (!ON_STREAM.has(frame.kind) && !isRequest(message) && !isNotification(message)) return undefined;
    return this.#requests.get(this.#conversations.of(frame) ?? -1);
  }
}

/** A subscription speaks when something has happened, and not because it was made; only then it is acknowledged. */
function subscribed(owner: Named, { message }: SessionEntry, { entries, flight }: Context): Cause {
  const request = entries[owner.entry]!.message;
  const isListen = isRequest(request) && request.method === LISTEN;
  const isFirst = isNotification(message) && message.method === 'notifications/subscriptions/acknowledged';
  const after = isListen && !isFirst ? flight.since(owner.entry) : undefined;
  return after === undefined ? owner : { ...owner, after };
}

/** 2026-07-28: every message of a subscription carries the id of its `subscriptions/listen`; a cancel names it. */
function listenOf({ json, message }: SessionEntry, flight: RequestsInFlight): number | undefined {
  if (json === undefined || !isNotification(message)) return undefined;
  const cancelled = message.method === 'notifications/cancelled';
  const path = cancelled ? ['params', 'requestId'] : ['params', '_meta', META.subscriptionId];
  const token = tokenAt(json, path);
  return token === undefined ? undefined : flight.listen(token);
}

function taskNamed({ message }: SessionEntry): string | undefined {
  if (!isRequest(message) && !isNotification(message)) return undefined;
  const { method } = message;
  const params = paramsOf(message);
  const related = metaOf(params)[META.relatedTask];
  const task = method.startsWith('notifications/tasks') ? params.taskId : isObject(related) && related.taskId;
  return typeof task === 'string' ? task : undefined;
}

/** 2025-11-25 answers `{task: {taskId}}`, the extension of 2026-07-28 `{resultType: "task", taskId}`. */
function rememberTask({ message }: SessionEntry, request: number, tasks: Map<string, number>): void {
  if (!isResponse(message)) return;
  const result = resultOf(message);
  const task = result.resultType === 'task' ? result.taskId : isObject(result.task) && result.task.taskId;
  if (typeof task === 'string') tasks.set(task, request);
}
