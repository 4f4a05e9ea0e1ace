import type { GridVerdicts } from '../grid-text.ts';
import { isUncaught } from '../uncaught-error.ts';
import type { FaultCase } from './fault-cases.ts';

/** How a command took a fault. */
export type Verdict =
  /** It went well, or it recovered. */
  | 'passed'
  /** It failed and said so. */
  | 'failed'
  /** It neither ended nor failed in time. */
  | 'hung'
  /** A signal or an uncaught error ended it. */
  | 'crashed'
  /** It left processes behind. */
  | 'leaked'
  /** It says that it went well, although an answer that it needed never came. */
  | 'lied'
  /** The fault never happened: the command did not get so far. */
  | 'unreached';

/** What a run of the command came to. */
export interface Ran {
  status: number | undefined;
  signal: string | undefined;
  /** The end of what it printed on standard error. */
  stderr: string;
  /** It was ended because its time was up. */
  timedOut: boolean;
  /** Processes of its group survived it. */
  left: boolean;
  /** The fault happened. */
  fired: boolean;
  /** The answer that the fault took came after all: the client asked again, or took its stream up. */
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
  if (!fired) return status === 0 ? 'unreached' : 'failed';
  if (status !== 0) return 'failed';
  return loses && !cameAfterAll ? 'lied' : 'passed';
}

/** Verdicts that fail a sweep. */
export const BAD: ReadonlySet<Verdict> = new Set<Verdict>(['hung', 'crashed', 'leaked', 'lied']);

/** How the verdicts on a client are shown. */
export const CLIENT_VERDICTS: GridVerdicts<Verdict> = {
  letters: { passed: '·', failed: 'f', hung: 'H', crashed: 'C', leaked: 'L', lied: '!', unreached: ' ' },
  bad: BAD,
};
