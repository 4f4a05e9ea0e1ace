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
   * other capabilities, another revision, an unrecorded notification or cancellation.
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
  if (kind === 'unauthorized') return isRefusalFailure(expectations);
  const name = EXPECTATION_OF[kind];
  return ALWAYS.has(kind) || (name !== undefined && expectations[name] === 'fail');
}

/**
 * Reports whether a client that was refused for its token, and never came back, fails a session. A client that gives up
 * may be what a test expects, so that the owner of the session has to ask for it.
 */
export function isRefusalFailure({ onUnused, onDifference }: Expectations): boolean {
  return onUnused === 'fail' || onDifference === 'fail';
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
