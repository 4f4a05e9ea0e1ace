import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, paramsOf, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { isPoll, isRequestMethod, isStream, repeatOf } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** The client entry that must happen before a server entry is sent. */
export interface Cause {
  /** The client entry. Undefined: the session's start. */
  entry: number | undefined;
  /**
   * Whether the frame names no request. The cause is then inferred from requests in flight, and the frame precedes the
   * next recorded response.
   */
  ambient: boolean;
  /** Whether the cassette allows other causes. */
  guess: boolean;
  /** For a subscription's frame: the client's latest earlier entry, which may have triggered it. */
  after?: number;
  /** The applied rule, as text. */
  why: string;
}

/** Tracks the client's unanswered requests, entry by entry. */
export class RequestsInFlight {
  readonly #entries: readonly SessionEntry[];
  readonly #links: Links;
  /** Subscription ids named in server notifications. */
  readonly #subscriptions = new Set<string>();
  /** The client's last message. */
  readonly #last: number;
  readonly #open = new Map<number, SessionEntry>();
  /** Requests in order of their start. Ended ones are removed lazily, from the end. */
  readonly #opened: number[] = [];
  /** Subscription request, by id. */
  readonly #listens = new Map<string, number>();
  /** Requests that opened a subscription. */
  readonly #opening = new Set<number>();
  readonly #seen = new Set<string>();
  #anchor: number | undefined;
  #closed: number | undefined;

  constructor(entries: readonly SessionEntry[], links: Links) {
    this.#entries = entries;
    this.#links = links;
    for (const { from, json, message } of entries) {
      if (from === 'client' || !isNotification(message) || metaOf(message.params)[META.subscriptionId] === undefined)
        continue;
      this.#subscriptions.add(scalarKeyAt(json!, ['params', '_meta', META.subscriptionId])!);
    }
    this.#last = entries.findLastIndex(({ from, json }) => from === 'client' && json !== undefined);
  }

  addClientEntry(entry: SessionEntry): void {
    const { index, json, message, frame } = entry;
    // A signal ends the session, unless the client sent more messages.
    if (frame.kind === 'close' || (frame.kind === 'signal' && index > this.#last)) this.#closed = index;
    if (json === undefined || isResponse(message)) return;
    if (isRequest(message)) this.#requested(entry, json, message.method);
    else if (isNotification(message) && message.method !== 'notifications/cancelled') this.#anchor = index;
    const cancelled = this.#links.cancelledRequestOf.get(index);
    if (cancelled !== undefined) this.#open.delete(cancelled);
  }

  endRequest(request: number): void {
    this.#open.delete(request);
  }

  /** Returns the client request that opened the subscription with this id. */
  listenRequest(token: string): number | undefined {
    return this.#listens.get(token);
  }

  /** Reports whether the request opened a subscription. */
  isSubscription(request: number): boolean {
    return this.#opening.has(request);
  }

  /** Returns the client's latest entry if it came after the subscription `listen`. */
  latestEntryAfter(listen: number): number | undefined {
    const latest = this.ambientCause().entry ?? listen;
    return latest > listen ? latest : undefined;
  }

  /** Returns the open `tasks/result` request for this task. Messages about the task belong to it. */
  taskResultRequest(task: string): number | undefined {
    for (const [index, { message }] of this.#open) {
      if (isRequest(message) && message.method === 'tasks/result' && paramsOf(message).taskId === task) return index;
    }
    return undefined;
  }

  /**
   * Returns the cause of a server request: the only client request in flight until its response. Among several, the
   * request answered first is chosen.
   */
  causeOfServerRequest(index: number): Cause | undefined {
    const answered = this.#links.answerOf.get(index) ?? index;
    const end = (request: number) => this.#links.answerOf.get(request) ?? Number.POSITIVE_INFINITY;
    const through = [...this.#open.keys()].filter((request) => end(request) > answered);
    if (through.length === 0) return undefined;
    const first = through.reduce((a, b) => (end(b) < end(a) ? b : a));
    const guess = through.length > 1;
    const why = guess ? 'was open at it, and its response follows the answer first' : 'was the only one open at it';
    return { entry: first, ambient: false, guess, why };
  }

  /** Returns the cause of a frame that names no request. */
  ambientCause(): Cause {
    if (this.#closed !== undefined) return this.#ambientOf(this.#closed, false, 'followed the end of input');
    while (this.#opened.length > 0 && !this.#open.has(this.#opened.at(-1)!)) this.#opened.pop();
    const latest = this.#opened.at(-1);
    if (latest === undefined) return this.#ambientOf(this.#anchor, false, 'followed it, with nothing open');
    if (this.#open.size === 1) return this.#ambientOf(latest, false, 'was the only one open at it');
    return this.#ambientOf(latest, true, 'was the latest of several open at it');
  }

  #ambientOf(entry: number | undefined, guess: boolean, why: string): Cause {
    return { entry, ambient: true, guess, why: entry === undefined ? 'came before the client spoke' : why };
  }

  #requested(entry: SessionEntry, json: JsonText, method: string): void {
    const { index } = entry;
    if (this.#listens.size > 0) this.#listens.delete(scalarKeyAt(json, ['id'])!);
    if (!this.#isAnchor(entry, json, method)) return;
    this.#anchor = index;
    const token = scalarKeyAt(json, ['id'])!;
    if (isStream(method) || (!isRequestMethod(method) && this.#subscriptions.has(token))) {
      this.#listens.set(token, index);
      this.#opening.add(index);
    } else {
      this.#open.set(index, entry);
      this.#opened.push(index);
    }
  }

  #isAnchor({ index }: SessionEntry, json: JsonText, method: string): boolean {
    if (isPoll(method)) return false;
    const answer = this.#entries[this.#links.answerOf.get(index) ?? -1]?.message;
    if (repeatOf(method, undefined, resultOf(answer)) === 'once') return true;
    const { key } = identityOf(json);
    const repeated = this.#seen.has(key);
    this.#seen.add(key);
    return !repeated;
  }
}
