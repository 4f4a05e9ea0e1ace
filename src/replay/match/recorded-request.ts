import type { EventMatch } from '../../cassette/cassette.ts';
import type { MessageEntry } from '../../cassette/split-batches-into-entries.ts';
import { type Ignore, rulesAsWritten } from '../../match/ignore-rules.ts';
import { type Identity, identityOf } from '../../match/request-identity.ts';
import { compileLiteral, compilePattern, type ValuePattern } from '../../match/value-pattern.ts';
import type { Repeat } from '../../protocol/method-table.ts';
import { type ComparedForm, comparedForm } from './secret-bindings.ts';

export interface RecordedRequestOptions {
  entry: MessageEntry;
  method: string;
  repeat: Repeat;
  /** Ignore rules of the session and of this event. */
  ignored: readonly Ignore[];
  /** Pattern of accepted arguments, if the event has one. */
  accepts?: ValuePattern | undefined;
  /** For a request with a repeatable response: the entry that must happen before this request is matched. */
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
  #form: ComparedForm | undefined;

  constructor({ entry, method, repeat, ignored, barrier, accepts }: RecordedRequestOptions) {
    this.entry = entry;
    this.method = method;
    this.repeat = repeat;
    this.barrier = barrier;
    this.accepts = accepts;
    this.#ignored = ignored;
  }

  /** Whether a live peer may leave out the request. */
  get isOptional(): boolean {
    return this.entry.match?.optional === true;
  }

  /** Ignore rules of the request's event in the cassette. */
  get ignore(): readonly Ignore[] {
    return ignoredBy(this.entry.match);
  }

  /** Computed on demand: a client that repeats the cassette in order is matched without identities. */
  get identity(): Identity {
    this.#identity ??= identityOf(this.entry.json, this.#ignored);
    return this.#identity;
  }

  /** Form for the comparison with live requests, computed on demand. */
  get form(): ComparedForm {
    this.#form ??= comparedForm(this.entry.json, this.#ignored);
    return this.#form;
  }
}

/** Sorts requests by matching priority: a live request matches the required ones before the optional ones. */
export function requiredFirst(requests: readonly RecordedRequest[]): RecordedRequest[] {
  return [...requests.filter(({ isOptional }) => !isOptional), ...requests.filter(({ isOptional }) => isOptional)];
}

/** Returns the ignore rules of an event. Arguments with a pattern are not compared with the recorded arguments. */
export function ignoredBy(match: EventMatch | undefined): readonly Ignore[] {
  const { ignore = [], arguments: accepted } = match ?? {};
  const rules = rulesAsWritten(ignore);
  return accepted === undefined ? rules : [...rules, '/params/arguments'];
}

/**
 * Returns the pattern for the arguments of an event. Undefined if the event accepts all arguments or has no rule for
 * them.
 */
export function acceptedArguments(match: EventMatch | undefined, recorded: unknown): ValuePattern | undefined {
  const accepted = match?.arguments;
  if (accepted === undefined || accepted === 'any') return undefined;
  return accepted === 'partial' ? compileLiteral(recorded) : compilePattern(accepted);
}
