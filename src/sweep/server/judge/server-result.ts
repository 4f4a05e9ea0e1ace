import type { Milliseconds } from '../../../kernel/clock.ts';
import type { PairVerdict } from '../../judge-two-fault-runs.ts';
import type { MisbehaviourCase } from '../misbehaviour-cases.ts';
import { standardErrorOf } from '../play-session.ts';
import { SERVER_PAIR_VERDICTS } from '../two-misbehaviours-per-session.ts';
import type { Baseline } from './baseline.ts';
import type { Attempt } from './evidence-types.ts';
import { judgeServer } from './judge-server.ts';
import { BAD_SERVER, type Judgement, reasonText, type ServerVerdict } from './server-verdict-kinds.ts';

/** The result of one point. */
export interface ServerResult {
  point: MisbehaviourCase;
  verdict: PairVerdict<ServerVerdict>;
  /** Verdict that the first misbehaviour deserves alone, if this verdict is bad and the second one did not happen. */
  first?: ServerVerdict;
  /** Not even the first misbehaviour of a pair happened. */
  isUntested?: true;
  /** Observation, with the violated rule of the specification. */
  why?: string;
  /** The observation without names and values of single messages. */
  cause?: string;
  duration: Milliseconds;
  /** Last part of the server's standard error. */
  stderrTail: string;
}

/** Reports whether a result fails the sweep. The second misbehaviour of a pair may not happen. */
export function isBad({ point, verdict, first }: Pick<ServerResult, 'point' | 'verdict' | 'first'>): boolean {
  if (SERVER_PAIR_VERDICTS.bad.has(verdict) || first !== undefined) return true;
  return verdict === 'unreached' && point.pair === undefined;
}

export interface JudgedAttempt {
  judgement: Judgement;
  attempt: Attempt;
  baseline: Baseline;
}

/** Judges a pair by its first misbehaviour alone, if the second one did not happen. Undefined: not bad. */
function verdictByFirst(
  { pair }: MisbehaviourCase,
  { judgement, attempt, baseline }: JudgedAttempt,
): ServerVerdict | undefined {
  const { faulty } = attempt;
  if (pair === undefined || judgement.verdict !== 'unreached' || !faulty.hasFiredFirst) return undefined;
  const alone = { ...attempt, faulty: { ...faulty, hasFired: true } };
  const { verdict } = judgeServer({ points: [pair.cases[0]], baseline, attempt: alone });
  return BAD_SERVER.has(verdict) ? verdict : undefined;
}

/** Returns the result of a judged point. */
export function resultOf(point: MisbehaviourCase, judged: JudgedAttempt, duration: Milliseconds): ServerResult {
  const { judgement, attempt } = judged;
  const { faulty, fresh } = attempt;
  const first = verdictByFirst(point, judged);
  const why = reasonText(judgement);
  const { verdict, cause = judgement.why } = judgement;
  const stderrTail = standardErrorOf(faulty, fresh);
  const told = { ...(why !== undefined && { why }), ...(cause !== undefined && { cause }), ...(first && { first }) };
  const isUntested = point.pair !== undefined && !faulty.hasFiredFirst;
  return { point, verdict, ...told, ...(isUntested && { isUntested }), duration, stderrTail };
}

/** Returns the result of a point that cannot be tested: the server is damaged, or gone. */
export function untestedResult(point: MisbehaviourCase, damagedAt: MisbehaviourCase | undefined): ServerResult {
  const damage = damagedAt && `not tested, because the server is damaged at ${damagedAt.name}`;
  const why = damage ?? 'nobody can connect to it any more';
  return { point, verdict: 'unreached', why, duration: 0, stderrTail: '' };
}
