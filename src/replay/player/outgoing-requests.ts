import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Fired } from '../../faults/engine/fired-fault.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';

/** Requests sent by the played side. Live responses, progress and cancellations look up their request here. */
export class OutgoingRequests {
  readonly #plan: Pick<ReplayPlan, 'side' | 'entries' | 'links'>;
  /** Entry of an open request, by id. */
  readonly #open = new Map<string, SessionEntry>();
  /** Recorded progress notifications still to come, by progress token, in reverse order. */
  readonly #progress = new Map<string, SessionEntry[]>();

  /** Ids of requests that a fault cancelled. Late answers to them are still expected. */
  readonly #cancelled = new Set<string>();

  /** Ids of recorded responses without a request. */
  #strays: string[] | undefined;

  constructor(plan: Pick<ReplayPlan, 'side' | 'entries' | 'links'>) {
    this.#plan = plan;
  }

  /** Registers a request sent as recorded. */
  ask(entry: SessionEntry, json: JsonText): void {
    this.askAs(scalarKeyAt(json, ['id'])!, entry);
    const token = scalarKeyAt(json, ['params', '_meta', 'progressToken']);
    if (token === undefined) return;
    const { entries, links } = this.#plan;
    const progress = links.progressOf.get(entry.index) ?? [];
    this.#progress.set(token, progress.map((index) => entries[index]!).reverse());
  }

  /** Registers a request sent under `id` in place of the recorded one. */
  askAs(id: string, entry: SessionEntry): void {
    this.#open.set(id, entry);
  }

  /** Returns the request that is open under `id`. */
  open(id: string): SessionEntry | undefined {
    return this.#open.get(id);
  }

  /** Ends and returns the request that is open under `id`. */
  answered(id: string): SessionEntry | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  /**
   * Ends and returns the request that a fault has cancelled. A peer must not answer a cancelled request
   * ("Cancellation").
   * Undefined if the fault is not a cancellation, or not of an open request.
   */
  cancel({ fault, from, id }: Pick<Fired, 'fault' | 'from' | 'id'>): SessionEntry | undefined {
    const token = id === undefined ? '' : JSON.stringify(id);
    const request = this.#open.get(token);
    if (fault !== 'cancel' || from !== this.#plan.side || request === undefined) return undefined;
    this.#open.delete(token);
    this.#cancelled.add(token);
    return request;
  }

  /** Returns the recorded counterpart of the next live progress notification with this token. */
  progressed(token: string): SessionEntry | undefined {
    return this.#progress.get(token)?.pop();
  }

  /** Returns the open requests that were answered and not cancelled in the cassette. */
  unanswered(): SessionEntry[] {
    const { answerOf, cancelOf } = this.#plan.links;
    return [...this.#open.values()].filter(({ index }) => answerOf.has(index) && !cancelOf.has(index));
  }

  /**
   * Reports whether a response without an open request is expected: it has crossed a cancellation, or the cassette has an
   * unused one with this id that answers no request, such as a parse error.
   */
  isExpectedStray(id: string): boolean {
    if (this.#cancelled.delete(id)) return true;
    const { side, entries, links } = this.#plan;
    this.#strays ??= entries
      .filter(({ from, index, message }) => from !== side && isResponse(message) && !links.requestOf.has(index))
      .map(({ json }) => scalarKeyAt(json!, ['id']) ?? 'null');
    const place = this.#strays.indexOf(id);
    if (place >= 0) this.#strays.splice(place, 1);
    return place >= 0;
  }

  /**
   * Returns the live id named in a recorded cancellation whose request was answered in the live session but not in the
   * cassette. Such a cancellation is not sent.
   */
  overtaken({ index, message, json }: SessionEntry): string | undefined {
    if (!isNotification(message) || message.method !== 'notifications/cancelled') return undefined;
    const { answerOf, cancelledRequestOf: cancelledBy } = this.#plan.links;
    const id = scalarKeyAt(json!, ['params', 'requestId']) ?? '';
    const request = cancelledBy.get(index);
    if (request === undefined || this.#open.has(id)) return undefined;
    const answer = answerOf.get(request);
    return answer === undefined || answer > index ? id : undefined;
  }
}
