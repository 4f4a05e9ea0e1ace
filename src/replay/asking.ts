import type { Move } from '../cassette/moves.ts';
import { tokenAt } from '../protocol/id.ts';
import type { JsonText } from '../protocol/json-text.ts';
import type { Score } from './score.ts';

/** The requests that the played side has sent, so that an answer, progress or cancel finds what it is about. */
export class Asking {
  readonly #score: Pick<Score, 'moves' | 'links'>;
  /** Id of a request that is not answered → its move. */
  readonly #open = new Map<string, Move>();
  /** Progress token → the recorded progress that has not come yet. */
  readonly #progress = new Map<string, Move[]>();

  constructor(score: Pick<Score, 'moves' | 'links'>) {
    this.#score = score;
  }

  /** The recorded request `move` goes out, as on tape. */
  ask(move: Move, json: JsonText): void {
    this.askAs(tokenAt(json, ['id'])!, move);
    const token = tokenAt(json, ['params', '_meta', 'progressToken']);
    if (token === undefined) return;
    const { moves, links } = this.#score;
    const progress = links.progressBy.get(move.index) ?? [];
    this.#progress.set(
      token,
      progress.map((index) => moves[index]!),
    );
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
    return this.#progress.get(token)?.shift();
  }

  /** The request that `cancel` names has its live answer, and had none on tape: to say it would be another story. */
  isTooLate({ index }: Move, id: string): boolean {
    const { answerOf, cancelledBy } = this.#score.links;
    const answer = answerOf.get(cancelledBy.get(index) ?? -1);
    return !this.#open.has(id) && (answer === undefined || answer > index);
  }
}
