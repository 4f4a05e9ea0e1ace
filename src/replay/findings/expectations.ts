import type { Finding } from './finding.ts';

type Reaction = 'fail' | 'report';

/** Which findings fail a replayed session. All others are reported only. */
export interface Expectations {
  /** A request that the cassette does not have. */
  onMiss?: Reaction;
  /** A recorded request or notification that never came. */
  onUnused?: Reaction;
  /**
   * A client that differs from the recorded one: another response to sampling, elicitation or roots, or none; other
   * capabilities; another revision; an unrecorded notification or cancel.
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

/** Findings that always fail: a request to an ended endpoint, a fault or handler that threw, a process that was left running. */
const ALWAYS: ReadonlySet<Finding['kind']> = new Set(['ended', 'thrown', 'leaked']);

/** Returns whether findings of `kind` fail a session with these expectations. */
export function isFailure(kind: Finding['kind'], expectations: Required<Expectations>): boolean {
  const name = EXPECTATION_OF[kind];
  return ALWAYS.has(kind) || (name !== undefined && expectations[name] === 'fail');
}

/** Returns the expectations of a replay on the command line: a miss fails it, and with `--strict` any difference. */
export function expectationsOf(strict: boolean): Required<Expectations> {
  const onUnused = strict ? 'fail' : 'report';
  return { onMiss: 'fail', onUnused, onDifference: onUnused, onUnfired: 'report' };
}
