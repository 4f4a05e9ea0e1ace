import type { Milliseconds } from '../../kernel/clock.ts';
import { type LeftProcesses, leftText } from '../../transports/stdio/leftover-processes.ts';
import type { GridVerdicts } from '../grid-text.ts';
import { isUncaught, UNKNOWN_ERROR, uncaughtErrorIdentity } from '../uncaught-error.ts';

/** Verdict on a command's reaction to a fault. */
export type Verdict =
  /** The command succeeded: the fault did no harm, or the command recovered. */
  | 'passed'
  /** The command gave up and reported the error with a non-zero exit status. */
  | 'reported'
  /** It missed the deadline. */
  | 'hung'
  /** A signal or an uncaught error ended it, or Node, since nothing was left that could happen. */
  | 'crashed'
  /** Processes that it had started outlived it. */
  | 'leaked'
  /** It reported success although the withheld answer never arrived. */
  | 'lied'
  /**
   * The fault did not fire. Either the command ended or hung before the message of the point, or the fault would have
   * changed nothing in the message. Nothing was tested.
   */
  | 'unreached';

/** Observations of one run of the command. */
export interface Ran {
  status: number | undefined;
  signal: string | undefined;
  /** Last part of standard error. */
  stderr: string;
  /** Whether the deadline ended it. */
  timedOut: boolean;
  /** Processes that outlived it. */
  left: LeftProcesses;
  /** Whether the fault fired. */
  fired: boolean;
  /** Reason why the fault changed nothing and therefore did not fire. */
  unchanged?: string;
  /** Whether only a part of the fault happened: a client that ends well has not been tested. */
  isPartial?: true;
  /**
   * Whether a fault withheld an answer that never arrived. The client could have repeated its request or resumed its
   * stream.
   */
  isAnswerLost: boolean;
}

const SIGNALLED = 128;

/** Judges one run. */
export function verdictOf({ status, signal, stderr, timedOut, left, fired, isPartial, isAnswerLost }: Ran): Verdict {
  if (!fired) return 'unreached';
  if (timedOut) return 'hung';
  if (hasCrashed({ status, signal, stderr })) return 'crashed';
  if (left) return 'leaked';
  if (status !== 0) return 'reported';
  if (isPartial) return 'unreached';
  return isAnswerLost ? 'lied' : 'passed';
}

function hasCrashed({ status, signal, stderr }: Pick<Ran, 'status' | 'signal' | 'stderr'>): boolean {
  if (signal !== undefined || status === undefined || status >= SIGNALLED) return true;
  // Exit status 0 means that the program caught and logged the error.
  return status !== 0 && (isUncaught(stderr) || isUnsettled({ status, stderr }));
}

/** Exit status of Node for a program whose `await` at the top level can never end. */
const UNSETTLED = 13;
const UNSETTLED_WARNING = 'Warning: Detected unsettled top-level await';

/**
 * Reports whether Node ended a program that still waited: it had noticed nothing, and reported nothing. Not every version
 * of Node prints a warning then. A client over stdio often passes on what its server says.
 */
function isUnsettled({ status, stderr }: Pick<Ran, 'status' | 'stderr'>): boolean {
  if (status !== UNSETTLED) return false;
  return stderr.includes(UNSETTLED_WARNING) || stderr.replace(OF_MOCK_SERVER, '').trim() === '';
}

/** Lines of a mock server on standard error, each with its indented lines. */
const OF_MOCK_SERVER = /^mcp-record: .*\n?(?:[ \t]+.*\n?)*/gm;

/** Returns why a run counts as a crash. */
export function crashText({ status, signal, stderr }: Pick<Ran, 'status' | 'signal' | 'stderr'>): string {
  if (signal !== undefined) return `it ended with ${signal}`;
  const error = uncaughtErrorIdentity(stderr);
  if (error !== undefined)
    return error.startsWith(UNKNOWN_ERROR) ? 'nobody caught its error' : `nobody caught ${error}`;
  if (isUnsettled({ status, stderr })) {
    return `Node ended it with ${status}: it still waited for something, but nothing was left that could happen (unsettled top-level await)`;
  }
  return `it ended with ${status}: a status of ${SIGNALLED} or more is that of a program that a signal ended`;
}

/** Beginning of the reason for a fault that did not happen, since it would have changed nothing. */
export const CHANGED_NOTHING = 'the fault changed nothing: ';

/** Returns the reason for a verdict that needs an explanation. `deadline`: time limit of a run. */
export function reasonOf(ran: Ran, verdict: Verdict, deadline: Milliseconds): string | undefined {
  if (verdict === 'hung') return `${hungText(deadline)}. If it gives up later, set a longer --deadline`;
  if (verdict === 'crashed') return crashText(ran);
  if (verdict === 'leaked') return `it left ${leftText(ran.left ?? [])}`;
  if (verdict !== 'unreached') return undefined;
  const { status, signal, timedOut, unchanged } = ran;
  if (unchanged !== undefined) return `${CHANGED_NOTHING}${unchanged}`;
  if (timedOut) return `${hungText(deadline)}, and the fault had not happened. Try --jobs 1, or a longer --deadline`;
  const how = hasCrashed(ran) ? 'crashed' : 'ended';
  const left = ran.left ? `, and it left ${leftText(ran.left)}` : '';
  return `it ${how} with ${signal ?? status} before the fault happened${left}. Let it wait longer, or try --jobs 1`;
}

function hungText(deadline: Milliseconds): string {
  return `it had not ended after ${Math.round(deadline)} ms`;
}

/** Verdicts that fail a sweep. */
export const BAD: ReadonlySet<Verdict> = new Set<Verdict>(['hung', 'crashed', 'leaked', 'lied', 'unreached']);

/** Presentation of the verdicts on a client. */
export const CLIENT_VERDICTS: GridVerdicts<Verdict> = {
  letters: { passed: '·', reported: 'r', hung: 'H', crashed: 'C', leaked: 'L', lied: '!', unreached: 'U' },
  bad: BAD,
  listed: new Set<Verdict>(['unreached']),
};

/** Minimum number of hung points that have a common cause. */
const HUNG_MIN = 3;

/**
 * Returns a line on the likely cause if most points of a sweep hung: the client waits longer for an answer than a run may
 * take. Undefined: most did not.
 */
export function hungSummary(results: readonly { verdict: Verdict }[], deadline: Milliseconds): string | undefined {
  const hung = results.filter(({ verdict }) => verdict === 'hung').length;
  if (hung < HUNG_MIN || 2 * hung <= results.length) return undefined;
  return `${hung} of ${results.length} points hung: the client probably waits longer for an answer than the ${Math.round(deadline)} ms of a run. Official SDKs wait 60 s by default. Give the client a shorter timeout for requests (docs/sweep.md of this package, "A client that waits long"), or set --deadline above its own, such as --deadline 90000.`;
}
