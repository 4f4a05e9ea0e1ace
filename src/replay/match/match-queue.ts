import type { RecordedRequest } from './recorded-request.ts';
import type { ComparedForm, SecretBindings } from './secret-bindings.ts';

export interface MatchQueue {
  requests: RecordedRequest[];
  /** Index of the candidate for the next live request. */
  next: number;
  /** Whether the requests differ in `repeat`. */
  isMixed?: boolean;
}

/** Queue of recorded messages with equal secrets. */
interface SecretQueue extends MatchQueue {
  secrets: readonly string[];
}

/** Recorded messages that differ in their secrets only, by these secrets, in recorded order. */
class QueuesBySecrets {
  readonly #queues: SecretQueue[] = [];
  readonly #bySecrets = new Map<string, SecretQueue>();
  /** Number of leading queues without an unused or repeatable request. */
  #usedUp = 0;

  add(secrets: readonly string[], candidate: RecordedRequest): void {
    const key = secrets.join();
    const queue = this.#bySecrets.get(key);
    if (queue) return addCandidate(queue, candidate);
    const added = { requests: [candidate], next: 0, secrets };
    this.#bySecrets.set(key, added);
    this.#queues.push(added);
  }

  /**
   * Returns the queues that a live message can mean: first the one whose unused request is next in order, then the
   * others.
   */
  matching(live: readonly string[], bindings: SecretBindings): readonly SecretQueue[] {
    const exact = this.#bySecrets.get((bindings.recordedOf(live) ?? live).join());
    if (exact) return [exact];
    while (this.#usedUp < this.#queues.length && isUsedUp(this.#queues[this.#usedUp]!)) this.#usedUp++;
    const possible: SecretQueue[] = [];
    let first: { queue: SecretQueue; request: RecordedRequest } | undefined;
    for (let at = this.#usedUp; at < this.#queues.length; at++) {
      const queue = this.#queues[at]!;
      if (first && !isEarlier(queue.requests[0]!, first.request)) break;
      if (bindings.conflict(queue.secrets, live) !== undefined) continue;
      possible.push(queue);
      const request = upcoming(queue);
      if (request && (first === undefined || isEarlier(request, first.request))) first = { queue, request };
    }
    return first ? [first.queue, ...possible.filter((queue) => queue !== first.queue)] : possible;
  }
}

/** Recorded messages with equal comparison rules, in queues by their form. */
export class MatchQueues {
  readonly #byKey = new Map<string, QueuesBySecrets>();

  add({ key, secrets }: ComparedForm, candidate: RecordedRequest): void {
    const queues = this.#byKey.get(key) ?? new QueuesBySecrets();
    this.#byKey.set(key, queues);
    queues.add(secrets, candidate);
  }

  /** Returns the queues for a live message, like {@link QueuesBySecrets.matching}. */
  matching({ key, secrets }: ComparedForm, bindings: SecretBindings): readonly SecretQueue[] {
    return this.#byKey.get(key)?.matching(secrets, bindings) ?? [];
  }
}

/**
 * Adds a candidate to a queue. A repeated list keeps the answer of its last required request, so optional ones are
 * dropped.
 */
export function addCandidate(queue: MatchQueue, candidate: RecordedRequest): void {
  if (candidate.isOptional && candidate.repeat !== 'once' && !queue.requests[0]!.isOptional) return;
  queue.isMixed ||= candidate.repeat !== queue.requests[0]!.repeat;
  queue.requests.push(candidate);
}

/** Returns the next unused candidate of the queue. Another queue may have used some. */
export function nextUnused(queue: MatchQueue): RecordedRequest | undefined {
  while (queue.next < queue.requests.length && queue.requests[queue.next]!.uses > 0) queue.next++;
  return queue.requests[queue.next];
}

/**
 * Returns the request of a used queue that is matched again: the last one with `repeat: last`, or those with
 * `repeat: cycle` in turn.
 */
export function nextRepeatable({ requests }: MatchQueue): RecordedRequest | undefined {
  const last = requests.findLast(({ repeat }) => repeat !== 'once');
  if (last?.repeat !== 'cycle') return last;
  const inTurn = requests.filter(({ repeat }) => repeat === 'cycle');
  return inTurn.reduce((next, one) => (one.uses < next.uses ? one : next));
}

/** Returns the next candidate of the queue. The queue restarts after its last candidate. */
export function nextInTurn(queue: MatchQueue): RecordedRequest {
  if (queue.next >= queue.requests.length) queue.next = 0;
  return queue.requests[queue.next++]!;
}

/** Returns the first unused request of a queue, without advancing the queue. */
function upcoming({ requests, next }: MatchQueue): RecordedRequest | undefined {
  for (let index = next; index < requests.length; index++) if (requests[index]!.uses === 0) return requests[index];
  return undefined;
}

function isUsedUp({ requests }: MatchQueue): boolean {
  return requests.every(({ repeat, uses }) => repeat === 'once' && uses > 0);
}

/** Reports whether a live message matches `one` before `other`: required requests come before optional ones. */
function isEarlier(one: RecordedRequest, other: RecordedRequest): boolean {
  if (one.isOptional !== other.isOptional) return other.isOptional;
  return one.entry.index < other.entry.index;
}
