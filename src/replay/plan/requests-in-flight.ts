import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, paramsOf } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import { LISTEN, repeatOf } from '../../protocol/methods.ts';

/** Whose frame a server's entry is: the client's entry that must have happened before it can. */
export interface Cause {
  /** The client's entry; undefined: the session's start. */
  entry: number | undefined;
  /** Named nobody, and was placed by what was in flight. Goes out no later than the next response in the cassette. */
  ambient: boolean;
  /** The cassette allows another owner too. */
  guess: boolean;
  /** A subscription's frame: the client's later move that it came after, which may have caused it. */
  after?: number;
  /** The rule that decided, for people. */
  why: string;
}

/** A poll's count depends on timing, and a ping's on nothing: neither may hold anything back. */
const NEVER_ANCHOR = new Set(['ping', 'tasks/get']);

/** What the client had begun and the server had not finished at one point of the cassette. */
export class RequestsInFlight {
  readonly #links: Links;
  /** The client's last message. */
  readonly #last: number;
  readonly #open = new Map<number, SessionEntry>();
  /** All that was opened, the latest last; what has ended since goes when it is met. */
  readonly #opened: number[] = [];
  /** Id → the `subscriptions/listen` that has it. */
  readonly #listens = new Map<string, number>();
  readonly #seen = new Set<string>();
  #anchor: number | undefined;
  #closed: number | undefined;

  constructor(entries: readonly SessionEntry[], links: Links) {
    this.#links = links;
    this.#last = entries.findLastIndex(({ from, json }) => from === 'client' && json !== undefined);
  }

  clientMoved(entry: SessionEntry): void {
    const { index, json, message, frame } = entry;
    // A signal ends the session unless the client spoke on.
    if (frame.kind === 'close' || (frame.kind === 'signal' && index > this.#last)) this.#closed = index;
    if (json === undefined || isResponse(message)) return;
    if (isRequest(message)) this.#requested(entry, json, message.method);
    else if (isNotification(message) && message.method !== 'notifications/cancelled') this.#anchor = index;
    const cancelled = this.#links.cancelledBy.get(index);
    if (cancelled !== undefined) this.#open.delete(cancelled);
  }

  ended(request: number): void {
    this.#open.delete(request);
  }

  /** The client's `subscriptions/listen` with this id. */
  listen(token: string): number | undefined {
    return this.#listens.get(token);
  }

  /** What the client did last, if that was after it had made the subscription `listen`. */
  since(listen: number): number | undefined {
    const latest = this.ambient().entry ?? listen;
    return latest > listen ? latest : undefined;
  }

  /** The open `tasks/result` that waits for `task`: what the server says of a task meanwhile travels with it. */
  waitingFor(task: string): number | undefined {
    for (const [index, { message }] of this.#open) {
      if (isRequest(message) && message.method === 'tasks/result' && paramsOf(message).taskId === task) return index;
    }
    return undefined;
  }

  /**
   * Which request a server's own request was asked for: the only one in flight both at it and at its answer, else the
   * one whose response follows that answer first.
   */
  asking(index: number): Cause | undefined {
    const answered = this.#links.answerOf.get(index) ?? index;
    const end = (request: number) => this.#links.answerOf.get(request) ?? Number.POSITIVE_INFINITY;
    const through = [...this.#open.keys()].filter((request) => end(request) > answered);
    if (through.length === 0) return undefined;
    const first = through.reduce((a, b) => (end(b) < end(a) ? b : a));
    const guess = through.length > 1;
    const why = guess ? 'was open at it, and its response follows the answer first' : 'was the only one open at it';
    return { entry: first, ambient: false, guess, why };
  }

  ambient(): Cause {
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
    if (this.#listens.size > 0) this.#listens.delete(tokenAt(json, ['id'])!);
    if (!this.#isAnchor(json, method)) return;
    this.#anchor = index;
    if (method === LISTEN) {
      this.#listens.set(tokenAt(json, ['id'])!, index);
    } else {
      this.#open.set(index, entry);
      this.#opened.push(index);
    }
  }

  #isAnchor(json: JsonText, method: string): boolean {
    if (NEVER_ANCHOR.has(method)) return false;
    if (repeatOf(method) === 'once') return true;
    const { key } = identityOf(json);
    const repeated = this.#seen.has(key);
    this.#seen.add(key);
    return !repeated;
  }
}
