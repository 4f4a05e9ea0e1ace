import type { Milliseconds } from '../../kernel/clock.ts';
import type { GridVerdicts } from '../grid-text.ts';
import { isUncaught } from '../uncaught-error.ts';
import type { FaultCase } from './fault-cases.ts';

/** Verdict on a command's reaction to a fault. */
export type Verdict =
  /** It succeeded: the fault did no harm, or the command recovered. */
  | 'passed'
  /** It ended with an exit status other than 0: it gave up, and reported the error. */
  | 'reported'
  /** It missed the deadline. */
  | 'hung'
  /** A signal or an uncaught error ended it. */
  | 'crashed'
  /** Processes of its group outlived it. */
  | 'leaked'
  /** It reported success although the withheld answer never arrived. */
  | 'lied'
  /** The fault did not fire: the command ended before the message of the point, with any status. Nothing was tested. */
  | 'unreached';

/** Observations of one run of the command. */
export interface Ran {
  status: number | undefined;
  signal: string | undefined;
  /** Last part of standard error. */
  stderr: string;
  /** Whether the deadline ended it. */
  timedOut: boolean;
  /** Whether processes of its group outlived it. */
  left: boolean;
  /** Whether the fault fired. */
  fired: boolean;
  /** Whether the withheld answer arrived later: the client repeated its request, or resumed its stream. */
  cameAfterAll: boolean;
}

const SIGNALLED = 128;

/** Judges one run. */
export function verdictOf(
  { status, signal, stderr, timedOut, left, fired, cameAfterAll }: Ran,
  { loses }: Pick<FaultCase, 'loses'>,
): Verdict {
  if (timedOut) return 'hung';
  if (signal !== undefined || status === undefined || status >= SIGNALLED || isUncaught(stderr)) return 'crashed';
  if (left) return 'leaked';
  if (!fired) return 'unreached';
  if (status !== 0) return 'reported';
  return loses && !cameAfterAll ? 'lied' : 'passed';
}

/** Returns the reason of a verdict that does not explain itself. `deadline` is the limit of a run. */
export function reasonOf(
  { status, fired }: Pick<Ran, 'status' | 'fired'>,
  verdict: Verdict,
  deadline: Milliseconds,
): string | undefined {
  if (fired) {
    if (verdict !== 'hung') return undefined;
    return `it had not ended after ${deadline} ms. If it gives up later, set a longer --deadline`;
  }
  if (verdict !== 'unreached') return 'the fault had not happened yet';
  return `it ended with ${status} before the fault happened. Let it wait longer, or try --jobs 1`;
}

/** Verdicts that fail a sweep. */
export const BAD: ReadonlySet<Verdict> = new Set<Verdict>(['hung', 'crashed', 'leaked', 'lied', 'unreached']);

/** Presentation of the verdicts on a client. */
export const CLIENT_VERDICTS: GridVerdicts<Verdict> = {
  letters: { passed: '·', reported: 'r', hung: 'H', crashed: 'C', leaked: 'L', lied: '!', unreached: 'U' },
  bad: BAD,
  listed: new Set<Verdict>(['unreached']),
};
