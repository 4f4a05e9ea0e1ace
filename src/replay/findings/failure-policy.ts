import type { Finding } from './finding.ts';

export type Reaction = 'fail' | 'report';

/** Findings that fail a replayed session. All other findings are only reported. */
export interface Expectations {
  /** A request missing in the cassette, or one with arguments that its handler's definition forbids. */
  onMiss?: Reaction;
  /**
   * A recorded request or notification that the live session never received. A client that was refused for its token,
   * and never came back, fails the session only if this or `onDifference` is given as `fail`.
   */
  onUnused?: Reaction;
  /**
   * A client that differs from the recorded client: another or a missing response to sampling, elicitation or roots,
   * other capabilities, another revision, an unrecorded notification or cancellation. A request that the authorization
   * server refused fails the session only if this is given as `fail`.
   */
  onDifference?: Reaction;
  /** A fault that never fired. */
  onUnfired?: Reaction;
}

const EXPECTATION_OF: Readonly<Partial<Record<Finding['kind'], keyof Expectations>>> = {
  miss: 'onMiss',
  invalid: 'onMiss',
  unused: 'onUnused',
  uncalled: 'onUnused',
  unretried: 'onUnused',
  differs: 'onDifference',
  unanswered: 'onDifference',
  unrecorded: 'onDifference',
  stray: 'onDifference',
  unfired: 'onUnfired',
};

/**
 * Findings that always fail: a request to an ended endpoint, a fault or handler that threw, a handler that never
 * answered, a process that was left running.
 */
const ALWAYS: ReadonlySet<Finding['kind']> = new Set(['ended', 'thrown', 'unfinished', 'leaked']);

/** Reports whether findings of `kind` fail a session with these expectations. */
export function isFailure(kind: Finding['kind'], expectations: Required<Expectations>): boolean {
  const only = ONLY_IF_GIVEN.get(kind);
  if (only !== undefined) return only.some((name) => expectations[name] === 'fail');
  const name = EXPECTATION_OF[kind];
  return ALWAYS.has(kind) || (name !== undefined && expectations[name] === 'fail');
}

/**
 * Options that make a finding fail a session, but only if the owner gives one of them as `fail`. A client that gives up,
 * or that asks its user again, may be what a test expects.
 */
const ONLY_IF_GIVEN: ReadonlyMap<Finding['kind'], readonly (keyof Expectations)[]> = new Map([
  ['unauthorized', ['onUnused', 'onDifference']],
  ['refused', ['onDifference']],
]);

/** Reports whether findings of `kind` fail a session only if its owner asks for it. */
export function failsOnlyIfGiven(kind: Finding['kind']): boolean {
  return ONLY_IF_GIVEN.has(kind);
}

/**
 * Returns the expectations of a replay or mock on the command line: a miss fails the session, and with `--strict` any
 * difference does. `--on-difference` decides on its own about differences that are not unused messages.
 * @param onDifference value of `--on-difference`, if given
 */
export function expectationsOf(strict: boolean, onDifference?: Reaction): Required<Expectations> {
  const onUnused = strict ? 'fail' : 'report';
  return { onMiss: 'fail', onUnused, onDifference: onDifference ?? onUnused, onUnfired: 'report' };
}
