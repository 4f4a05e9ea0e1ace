import type { Move } from '../../cassette/correlate/session-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isResponse } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import type { Score } from '../plan/server-plan.ts';

/** The requests that the played side has sent, so that an answer, progress or cancel finds what it is about. */
export class Asking {
  readonly #score: Pick<Score, 'side' | 'moves' | 'links'>;
  /** Id of a request that is not answered → its move. */
  readonly #open = new Map<string, Move>();
  /** Progress token → the recorded progress that has not come yet, the next one last. */
  readonly #progress = new Map<string, Move[]>();

  /** Ids of taped answers to nothing. */
  #strays: string[] | undefined;

  constructor(score: Pick<Score, 'side' | 'moves' | 'links'>) {
    this.#score = score;
  }

  /** The recorded request `move` goes out, as on tape. */
  ask(move: Move, json: JsonText): void {
    this.askAs(tokenAt(json, ['id'])!, move);
    const token = tokenAt(json, ['params', '_meta', 'progressToken']);
    if (token === undefined) return;
    const { moves, links } = this.#score;
    const progress = links.progressBy.get(move.index) ?? [];
    this.#progress.set(token, progress.map((index) => moves[index]!).reverse());
  }

  /** A request of our own goes out under `id`, in the place of the recorded one. */
  askAs(id: string, move: Move): void {
    this.#open.set(id, move);
  }

  /** The request that is open under `id`. */
  open(id: string): Move | undefined {
    return this.#open.get(id);
  }

  /** Ends the request that is open under `id`. */
  answered(id: string): Move | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  /** The recorded progress that the next live one with this token stands for. */
  progressed(token: string): Move | undefined {
    return this.#progress.get(token)?.pop();
  }

  /** The requests that are open, though the cassette has an answer that was not withdrawn before. */
  unanswered(): Move[] {
    const { answerOf, cancelOf } = this.#score.links;
    return [...this.#open.values()].filter(({ index }) => answerOf.has(index) && !cancelOf.has(index));
  }

  /** The tape has an answer to nothing with this id too, which did not come yet: an error about what could not be read. */
  isTapedStray(id: string): boolean {
    const { side, moves, links } = this.#score;
    this.#strays ??= moves
      .filter(
        ({ from, index, message }) => from !== side && isResponse(message) && !links.requestOf.has(index),
      )
      .map(({ json }) => tokenAt(json!, ['id']) ?? 'null');
    const place = this.#strays.indexOf(id);
    if (place >= 0) this.#strays.splice(place, 1);
    return place >= 0;
  }

  /**
   * The id of the request that the recorded cancel names, if it has its live answer and had none in the cassette: to cancel
   * it would be another story.
   */
  overtaken({ index, message, json }: Move): string | undefined {
    if (!isNotification(message) || message.method !== 'notifications/cancelled') return undefined;
    const { answerOf, cancelledBy } = this.#score.links;
    const id = tokenAt(json!, ['params', 'requestId']) ?? '';
    const request = cancelledBy.get(index);
    if (request === undefined || this.#open.has(id)) return undefined;
    const answer = answerOf.get(request);
    return answer === undefined || answer > index ? id : undefined;
  }
}
