import type { MessageEntry } from '../../cassette/correlate/session-entries.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { type Identity, identityOf } from '../../match/request-identity.ts';
import type { Repeat } from '../../protocol/methods.ts';

export interface RecordedRequestOptions {
  entry: MessageEntry;
  method: string;
  repeat: Repeat;
  /** What does not count when it is compared. */
  ignored: readonly Ignore[];
  /** Where its answer may repeat: the entry that must have happened before it is used. */
  barrier: number | undefined;
}

/** A recorded request or notification of the live side. */
export class RecordedRequest {
  readonly entry: MessageEntry;
  readonly method: string;
  readonly repeat: Repeat;
  readonly barrier: number | undefined;
  uses = 0;
  readonly #ignored: readonly Ignore[];
  #identity: Identity | undefined;

  constructor({ entry, method, repeat, ignored, barrier }: RecordedRequestOptions) {
    this.entry = entry;
    this.method = method;
    this.repeat = repeat;
    this.barrier = barrier;
    this.#ignored = ignored;
  }

  /** What does not count in it alone. */
  get ignore(): readonly Ignore[] {
    return this.entry.match?.ignore ?? NOTHING;
  }

  /** Found when somebody asks: a client that says what it said in the cassette, in that order, needs none. */
  get identity(): Identity {
    this.#identity ??= identityOf(this.entry.json, this.#ignored);
    return this.#identity;
  }
}

const NOTHING: readonly Ignore[] = [];
