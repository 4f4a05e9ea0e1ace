import { type DrawnPairs, drawPairs, pairedPoint } from '../draw-two-fault-points.ts';
import type { GridVerdicts } from '../grid-text.ts';
import { type PairVerdict, pairVerdicts } from '../judge-two-fault-runs.ts';
import type { FaultCase } from './fault-cases.ts';
import type { Result } from './sweep-client.ts';
import { CLIENT_VERDICTS, type Verdict } from './verdict.ts';

/** Faults after which a session has no further message. */
const ENDING: ReadonlySet<string> = new Set(['end', 'cut', 'exit', 'half-close', 'reset', 'down']);

/** Draws pairs of faults, of which the first one does not end the session. */
export function drawFaultPairs(
  points: readonly FaultCase[],
  options: { count: number; seed: number },
): DrawnPairs<FaultCase> {
  return drawPairs(points, { ...options, isFirst: ({ fault }) => !ENDING.has(fault) });
}

/** Returns why a fault cannot follow another one. Undefined: it can. */
export function whyNoFaultPair(first: FaultCase, second: FaultCase): string | undefined {
  return first.message < second.message ? undefined : 'its second message is not after the first';
}

/** Returns the case in which two faults happen in one run: `drop@3+cut@5`. `points`: all cases of the sweep. */
export function faultPair(first: FaultCase, second: FaultCase, points: readonly FaultCase[]): FaultCase {
  const losable = points.flatMap((point) => point.loses ?? []);
  return {
    ...pairedPoint(first, second),
    pair: {
      cases: [first, second],
      losable: [...new Map(losable.map((one) => [JSON.stringify(one), one])).values()],
    },
  };
}

/** Presentation of the verdicts on pairs. */
export const PAIR_VERDICTS: GridVerdicts<PairVerdict<Verdict>> = pairVerdicts(CLIENT_VERDICTS);

/** Result of a pair, or of a fault of a pair alone. */
export type JudgedPair = Omit<Result, 'verdict'> & { verdict: PairVerdict<Verdict> };
