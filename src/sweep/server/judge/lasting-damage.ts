import type { PlayedSession } from '../play-session.ts';
import { type Baseline, unexpectedDifferences } from './baseline.ts';
import { changedAnswersOf } from './changed-answers.ts';
import type { Attempt, Evidence } from './evidence-types.ts';
import { judgeServer } from './judge-server.ts';
import type { Judgement } from './server-verdict-kinds.ts';

/** Positions of the requests that a session without misbehaviour answers otherwise than the baseline. */
export interface Damage {
  unanswered: ReadonlySet<number>;
  changed: ReadonlySet<number>;
}

/** Returns how a session without misbehaviour differs from the baseline. Undefined: not at all. */
export function damageOf(session: PlayedSession, baseline: Baseline): Damage | undefined {
  const unanswered = new Set([...session.unanswered].filter((index) => !baseline.unanswered.has(index)));
  const changed = new Set(changedAnswersOf(session, baseline).map(({ index }) => index));
  return unanswered.size + changed.size > 0 ? { unanswered, changed } : undefined;
}

export interface LastingDamage {
  /** First baseline, which was measured before any misbehaviour. */
  baseline: Baseline;
  /** Two sessions without misbehaviour after the point, both with damage. */
  sessions: readonly [PlayedSession, PlayedSession];
  /** Controls in the order in which they were played after the two sessions. */
  controls: AsyncIterable<Attempt>;
}

/**
 * Reports whether lost or repeated messages explain the damage: a stored item that nobody removed changes answers for
 * good, and each further control changes them again. A damaged server always gives the same answer.
 */
export async function isStoredState({ baseline, sessions, controls }: LastingDamage): Promise<boolean> {
  const [first, second] = sessions;
  const { unstable } = baseline;
  const differ = (index: number, before: PlayedSession, after: PlayedSession) =>
    unexpectedDifferences({ answers: before.answers, unstable }, index, after.answers.get(index)).length > 0;
  const { unanswered, changed } = damageOf(second, baseline)!;
  if (unanswered.size > 0 || [...changed].some((index) => differ(index, first, second))) return false;
  const unexplained = new Set(changed);
  let before = second;
  for await (const { fresh } of controls) {
    if (fresh === undefined) return false;
    for (const index of unexplained) if (differ(index, before, fresh)) unexplained.delete(index);
    if (unexplained.size === 0) return true;
    before = fresh;
  }
  return false;
}

/** Adds to a judgement that no later session is right. */
export function withLastingDamage<Of extends Pick<Judgement, 'why'>>(judged: Of): Of {
  if (judged.why === undefined) return judged;
  return { ...judged, why: `${judged.why}, and all later sessions are wrong, too` };
}

/** Judges a point with lasting damage by the next connection: on its own, a lost message may change answers, too. */
export function judgeLastingDamage({ attempt, ...evidence }: Evidence): Judgement {
  const faulty = { ...attempt.faulty, answers: new Map<number, unknown>() };
  return withLastingDamage(judgeServer({ ...evidence, attempt: { ...attempt, faulty } }));
}
