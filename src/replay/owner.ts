import type { Links } from '../cassette/correlate.ts';
import type { Move } from '../cassette/moves.ts';
import { identityOf } from '../match/identity.ts';
import { tokenAt } from '../protocol/id.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isNotification, isObject, isRequest, isResponse } from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { repeatOf } from '../protocol/methods.ts';

/** Whose frame a server's move is: the client's move that must have happened before it can. */
export interface Owner {
  /** The client's move; undefined: the session's start. */
  move: number | undefined;
  /** Named nobody, and was placed by what was in flight. Goes out no later than the next response on the tape. */
  ambient: boolean;
  /** The tape allows another owner too. */
  guess: boolean;
  /** The rule that decided, for people. */
  why: string;
}

/** A poll's count depends on timing, and a ping's on nothing: neither may hold anything back. */
const NEVER_ANCHOR = new Set(['ping', 'tasks/get']);

/** Finds the owner of every move of the server, from the tape alone. Moves of the client have none. */
export function ownersOf(moves: readonly Move[], links: Links): Map<number, Owner> {
  const owners = new Map<number, Owner>();
  const flight = new Flight(links);
  const tasks = new Map<string, number>();
  const cancelled = new Map([...links.cancelOf].map(([request, cancel]) => [cancel, request]));
  for (const move of moves) {
    if (move.from === 'client') {
      flight.clientMoved(move);
      continue;
    }
    const withdrawn = owners.get(cancelled.get(move.index) ?? -1);
    owners.set(move.index, withdrawn ?? ownerOf(move, { links, flight, tasks }));
    rememberTask(move, links, tasks);
    const answered = links.requestOf.get(move.index);
    if (answered !== undefined) flight.ended(answered);
  }
  return owners;
}

interface Context {
  links: Links;
  flight: Flight;
  /** Task id → the request that created it. */
  tasks: Map<string, number>;
}

function ownerOf(move: Move, context: Context): Owner {
  const { links, flight } = context;
  const { index, message } = move;
  const named = (request: number, why: string) => ({ move: request, ambient: false, guess: false, why });

  const request = links.requestOf.get(index);
  if (request !== undefined) return named(request, 'answers it');
  const progressing = links.progressOf.get(index);
  if (progressing !== undefined) return named(progressing, 'carries its progress token');
  const listen = listenOf(move, flight);
  if (listen !== undefined) return named(listen, 'carries its subscription id');
  const task = taskNamed(move);
  const tasked = task === undefined ? undefined : (flight.waitingFor(task) ?? context.tasks.get(task));
  if (tasked !== undefined) return named(tasked, 'speaks of its task');
  if (isRequest(message)) {
    const asking = flight.asking(index);
    if (asking) return asking;
  }
  return flight.ambient();
}

/** What the client had begun and the server had not finished at one point of the tape. */
class Flight {
  readonly #links: Links;
  readonly #open = new Map<number, Move>();
  readonly #byId = new Map<string, number>();
  readonly #seen = new Set<string>();
  #anchor: number | undefined;
  #closed: number | undefined;

  constructor(links: Links) {
    this.#links = links;
  }

  clientMoved(move: Move): void {
    const { index, json, message, frame } = move;
    if (frame.kind === 'close') this.#closed ??= index;
    if (json === undefined || isResponse(message)) return;
    if (isRequest(message)) {
      this.#byId.set(tokenAt(json, ['id']) ?? '', index);
      if (!this.#isAnchor(json, message.method)) return;
      this.#anchor = index;
      this.#open.set(index, move);
    } else if (isNotification(message)) {
      if (message.method === 'notifications/cancelled') this.#cancelled(index);
      else this.#anchor = index;
    }
  }

  ended(request: number): void {
    this.#open.delete(request);
  }

  /** The client's request with this id, the latest if it was used again. */
  withId(token: string): number | undefined {
    return this.#byId.get(token);
  }

  /** The open `tasks/result` that waits for `task`: what the server says of a task meanwhile travels with it. */
  waitingFor(task: string): number | undefined {
    for (const [index, { message }] of this.#open) {
      if (isRequest(message) && message.method === 'tasks/result' && message.params?.taskId === task)
        return index;
    }
    return undefined;
  }

  /**
   * Which request a server's own request was asked for: the only one in flight both at it and at its answer, else the
   * one whose response follows that answer first.
   */
  asking(index: number): Owner | undefined {
    const answered = this.#links.answerOf.get(index) ?? index;
    const end = (request: number) => this.#links.answerOf.get(request) ?? Number.POSITIVE_INFINITY;
    const through = [...this.#open.keys()].filter((request) => end(request) > answered);
    if (through.length === 0) return undefined;
    const first = through.reduce((a, b) => (end(b) < end(a) ? b : a));
    const guess = through.length > 1;
    const why = guess
      ? 'was open at it, and its response follows the answer first'
      : 'was the only one open at it';
    return { move: first, ambient: false, guess, why };
  }

  ambient(): Owner {
    if (this.#closed !== undefined) return this.#ambientOf(this.#closed, false, 'followed the end of input');
    const latest = [...this.#open.keys()].at(-1);
    if (latest === undefined) return this.#ambientOf(this.#anchor, false, 'followed it, with nothing open');
    if (this.#open.size === 1) return this.#ambientOf(latest, false, 'was the only one open at it');
    return this.#ambientOf(latest, true, 'was the latest of several open at it');
  }

  #ambientOf(move: number | undefined, guess: boolean, why: string): Owner {
    return { move, ambient: true, guess, why: move === undefined ? 'came before the client spoke' : why };
  }

  #cancelled(cancel: number): void {
    for (const request of this.#open.keys()) {
      if (this.#links.cancelOf.get(request) === cancel) this.#open.delete(request);
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

/** 2026-07-28: every message of a subscription carries the id of its `subscriptions/listen`; a cancel names it. */
function listenOf({ json, message }: Move, flight: Flight): number | undefined {
  if (json === undefined || !isNotification(message)) return undefined;
  const cancelled = message.method === 'notifications/cancelled';
  const path = cancelled ? ['params', 'requestId'] : ['params', '_meta', META.subscriptionId];
  const token = tokenAt(json, path);
  return token === undefined ? undefined : flight.withId(token);
}

function taskNamed({ message }: Move): string | undefined {
  if (isResponse(message) || message === undefined) return undefined;
  const { method, params } = message;
  const related = metaOf(params)[META.relatedTask];
  const task = method.startsWith('notifications/tasks')
    ? params?.taskId
    : isObject(related) && related.taskId;
  return typeof task === 'string' ? task : undefined;
}

/** 2025-11-25 answers `{task: {taskId}}`, the extension of 2026-07-28 `{resultType: "task", taskId}`. */
function rememberTask({ index, message }: Move, links: Links, tasks: Map<string, number>): void {
  const request = links.requestOf.get(index);
  if (request === undefined || !isResponse(message)) return;
  const { result } = message;
  const task = result?.resultType === 'task' ? result.taskId : isObject(result?.task) && result.task.taskId;
  if (typeof task === 'string') tasks.set(task, request);
}
