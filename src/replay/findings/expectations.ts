import type { Finding } from './finding.ts';

type Reaction = 'fail' | 'report';

/** What fails a session that is replayed; the rest is reported. */
export interface Expectations {
  /** A request that the cassette does not have. */
  onMiss?: Reaction;
  /** A recorded request or notification that never came. */
  onUnused?: Reaction;
  /**
   * A client that says something else than the recorded one: another answer to sampling, elicitation or roots, or none;
   * other capabilities, another revision; a notification or a cancel that the cassette does not have.
   */
  onDifference?: Reaction;
  /** A fault that never happens. */
  onUnfired?: Reaction;
}

const EXPECTATION_OF: Readonly<Partial<Record<Finding['kind'], keyof Expectations>>> = {
  miss: 'onMiss',
  unused: 'onUnused',
  differs: 'onDifference',
  unanswered: 'onDifference',
  unrecorded: 'onDifference',
  stray: 'onDifference',
  unfired: 'onUnfired',
};

/** What nobody can expect: an endpoint that is used after its end, a fault that throws. */
const ALWAYS: ReadonlySet<Finding['kind']> = new Set(['ended', 'thrown']);

/** Returns whether findings of `kind` fail a session with these expectations. */
export function isFailure(kind: Finding['kind'], expectations: Required<Expectations>): boolean {
  const name = EXPECTATION_OF[kind];
  return ALWAYS.has(kind) || (name !== undefined && expectations[name] === 'fail');
}

/** Returns what fails a replay on the command line: a miss, and with `--strict` all that is not as in the cassette. */
export function expectationsOf(strict: boolean): Required<Expectations> {
  const onUnused = strict ? 'fail' : 'report';
  return { onMiss: 'fail', onUnused, onDifference: onUnused, onUnfired: 'report' };
}
