import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';

/** The requests that the played side has sent, so that an answer, progress or cancel finds what it is about. */
export class OutgoingRequests {
  readonly #plan: Pick<ReplayPlan, 'side' | 'entries' | 'links'>;
  /** Id of an open request to its entry. */
  readonly #open = new Map<string, SessionEntry>();
  /** Progress token → the recorded progress that has not come yet, the next one last. */
  readonly #progress = new Map<string, SessionEntry[]>();

  /** Ids of recorded answers to nothing. */
  #strays: string[] | undefined;

  constructor(plan: Pick<ReplayPlan, 'side' | 'entries' | 'links'>) {
    this.#plan = plan;
  }

  /** The recorded request `move` goes out, as in the cassette. */
  ask(entry: SessionEntry, json: JsonText): void {
    this.askAs(scalarKeyAt(json, ['id'])!, entry);
    const token = scalarKeyAt(json, ['params', '_meta', 'progressToken']);
    if (token === undefined) return;
    const { entries, links } = this.#plan;
    const progress = links.progressBy.get(entry.index) ?? [];
    this.#progress.set(token, progress.map((index) => entries[index]!).reverse());
  }

  /** Registers a request sent under `id` in place of the recorded one. */
  askAs(id: string, entry: SessionEntry): void {
    this.#open.set(id, entry);
  }

  /** The request that is open under `id`. */
  open(id: string): SessionEntry | undefined {
    return this.#open.get(id);
  }

  /** Ends the request that is open under `id`. */
  answered(id: string): SessionEntry | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  /** The recorded progress that the next live one with this token stands for. */
  progressed(token: string): SessionEntry | undefined {
    return this.#progress.get(token)?.pop();
  }

  /** The requests that are open, though the cassette has an answer that was not withdrawn before. */
  unanswered(): SessionEntry[] {
    const { answerOf, cancelOf } = this.#plan.links;
    return [...this.#open.values()].filter(({ index }) => answerOf.has(index) && !cancelOf.has(index));
  }

  /** The cassette has an answer to nothing with this id too, which did not come yet: an error about what could not be read. */
  isRecordedStray(id: string): boolean {
    const { side, entries, links } = this.#plan;
    this.#strays ??= entries
      .filter(({ from, index, message }) => from !== side && isResponse(message) && !links.requestOf.has(index))
      .map(({ json }) => scalarKeyAt(json!, ['id']) ?? 'null');
    const place = this.#strays.indexOf(id);
    if (place >= 0) this.#strays.splice(place, 1);
    return place >= 0;
  }

  /**
   * Returns the live id that a recorded cancel names if the request has its live answer and had none in the cassette.
   * Such a cancel is not sent.
   */
  overtaken({ index, message, json }: SessionEntry): string | undefined {
    if (!isNotification(message) || message.method !== 'notifications/cancelled') return undefined;
    const { answerOf, cancelledBy } = this.#plan.links;
    const id = scalarKeyAt(json!, ['params', 'requestId']) ?? '';
    const request = cancelledBy.get(index);
    if (request === undefined || this.#open.has(id)) return undefined;
    const answer = answerOf.get(request);
    return answer === undefined || answer > index ? id : undefined;
  }
}
