import { VOLATILE } from '../match/default-ignore-pointers.ts';
import { exactValue } from '../match/exact-json-value.ts';
import { type Ignore, rulesAsWritten, without } from '../match/ignore-rules.ts';
import type { CorrespondingIds } from './corresponding-ids.ts';
import type { Interaction, SessionInteractions } from './session-interactions.ts';

export interface AnswerIdsOptions {
  ids: CorrespondingIds;
  sessions: readonly [a: SessionInteractions, b: SessionInteractions];
  /** Ignore rules of the comparison. */
  ignore: readonly Ignore[];
}

/** Two answers with ids that do not correspond. */
export interface WrongAnswer {
  words: readonly string[];
  before: unknown;
  /** The second answer, with corresponding ids replaced by those of the first session. */
  after: unknown;
}

/**
 * Compares ids in answers. An ignored expression hides the value of an id, but not a contradiction between two places.
 * An ignored pointer hides the whole value.
 */
export class AnswerIds {
  readonly #ids: CorrespondingIds;
  readonly #sessions: AnswerIdsOptions['sessions'];
  readonly #pointers: readonly Ignore[];

  constructor({ ids, sessions, ignore }: AnswerIdsOptions) {
    this.#ids = ids;
    this.#sessions = sessions;
    this.#pointers = [...VOLATILE, ...ignore.filter((rule) => typeof rule === 'string')];
  }

  /** Returns the non-corresponding ids in the answer of the second request. Undefined if all ids correspond. */
  wrongIn(a: Interaction, b: Interaction): WrongAnswer | undefined {
    const [page, ...others] = a.pages;
    if (page === undefined || others.length > 0 || page.isOptional) return undefined;
    const pointers = [...this.#pointers, ...rulesAsWritten(page.ignore).filter((rule) => typeof rule === 'string')];
    const [before, second] = [a, b].map(({ ended }, index) => {
      const json = this.#sessions[index]!.entries[ended]?.json;
      return json && without(exactValue(json), pointers);
    });
    if (before === undefined || second === undefined) return undefined;
    const wrong = this.#ids.wrongIds(before, second).filter(({ isSameAround }) => isSameAround);
    if (wrong.length === 0) return undefined;
    const words = wrong.slice(0, SHOWN_MAX).map((one) => one.words);
    return { words, before, after: this.#ids.renamed(second) };
  }
}

const SHOWN_MAX = 3;
