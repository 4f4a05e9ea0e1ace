import type { Said } from '../../cassette/correlate/session-entries.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { type Identity, identityOf } from '../../match/request-identity.ts';
import type { Repeat } from '../../protocol/methods.ts';

export interface EntryOptions {
  move: Said;
  method: string;
  repeat: Repeat;
  /** What does not count when it is compared. */
  ignored: readonly Ignore[];
  /** Where its answer may repeat: the move that must have happened before it is used. */
  barrier: number | undefined;
}

/** A recorded request or notification of the live side. */
export class Entry {
  readonly move: Said;
  readonly method: string;
  readonly repeat: Repeat;
  readonly barrier: number | undefined;
  uses = 0;
  readonly #ignored: readonly Ignore[];
  #identity: Identity | undefined;

  constructor({ move, method, repeat, ignored, barrier }: EntryOptions) {
    this.move = move;
    this.method = method;
    this.repeat = repeat;
    this.barrier = barrier;
    this.#ignored = ignored;
  }

  /** What does not count in it alone. */
  get ignore(): readonly Ignore[] {
    return this.move.match?.ignore ?? NOTHING;
  }

  /** Found when somebody asks: a client that says what it said on tape, in that order, needs none. */
  get identity(): Identity {
    this.#identity ??= identityOf(this.move.json, this.#ignored);
    return this.#identity;
  }
}

const NOTHING: readonly Ignore[] = [];
