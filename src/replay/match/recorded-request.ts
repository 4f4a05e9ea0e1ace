import type { EventMatch } from '../../cassette/cassette.ts';
import type { MessageEntry } from '../../cassette/correlate/session-entries.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { type Identity, identityOf } from '../../match/request-identity.ts';
import type { ValuePattern } from '../../match/value-pattern.ts';
import type { Repeat } from '../../protocol/method-rules.ts';

export interface RecordedRequestOptions {
  entry: MessageEntry;
  method: string;
  repeat: Repeat;
  /** Ignore rules of the session and of this event. */
  ignored: readonly Ignore[];
  /** The arguments that it stands for, if its event says so. */
  accepts?: ValuePattern | undefined;
  /** Of a request whose response may repeat: the entry that must have happened before this request is matched. */
  barrier: number | undefined;
}

/** A recorded request or notification of the live side. */
export class RecordedRequest {
  readonly entry: MessageEntry;
  readonly method: string;
  readonly repeat: Repeat;
  readonly barrier: number | undefined;
  readonly accepts: ValuePattern | undefined;
  uses = 0;
  readonly #ignored: readonly Ignore[];
  #identity: Identity | undefined;

  constructor({ entry, method, repeat, ignored, barrier, accepts }: RecordedRequestOptions) {
    this.entry = entry;
    this.method = method;
    this.repeat = repeat;
    this.barrier = barrier;
    this.accepts = accepts;
    this.#ignored = ignored;
  }

  /** Ignore rules of its event in the cassette. */
  get ignore(): readonly Ignore[] {
    return ignoredBy(this.entry.match);
  }

  /** Computed on demand: a client that repeats the cassette in order is matched without identities. */
  get identity(): Identity {
    this.#identity ??= identityOf(this.entry.json, this.#ignored);
    return this.#identity;
  }
}

const NO_RULES: readonly Ignore[] = [];

/** Returns the ignore rules of an event. Arguments that it says a pattern of are not compared with the recorded ones. */
export function ignoredBy(match: EventMatch | undefined): readonly Ignore[] {
  const { ignore = NO_RULES, arguments: accepted } = match ?? {};
  return accepted === undefined ? ignore : [...ignore, '/params/arguments'];
}
