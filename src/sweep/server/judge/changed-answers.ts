import type { Difference } from '../../../match/json-difference.ts';
import { isObject } from '../../../protocol/message.ts';
import type { PlayedSession } from '../play-session.ts';
import { affectedRequests, isIdOf, isResult, requestTitle } from './affected-requests.ts';
import { type Baseline, unexpectedDifferences } from './baseline.ts';
import type { Attempt, Evidence } from './evidence.ts';

/** An answer that is another one than without the misbehaviour. */
export interface ChangedAnswer {
  /** Position of the recorded request. */
  index: number;
  session: keyof Attempt;
  title: string;
  /** Where the request was made, in words. */
  where: string;
  difference: Difference;
  /** It is the answer to the message that the client misbehaved at. */
  isOwn: boolean;
}

/** Returns every changed answer of an attempt, those of the same connection first. */
export function changedAnswers(evidence: Evidence): ChangedAnswer[] {
  const { attempt, baseline } = evidence;
  return [...onSameConnection(evidence), ...(attempt.fresh ? onNextConnection(attempt.fresh, baseline) : [])];
}

/** Whether each changed answer is that of a control. */
export function areAsIn(control: Attempt, { attempt, baseline }: Evidence, changed: readonly ChangedAnswer[]): boolean {
  const { unstable } = baseline;
  return changed.every(({ index, session }) => {
    const answers = control[session]?.answers;
    if (answers?.has(index) !== true) return false;
    return unexpectedDifferences({ answers, unstable }, index, attempt[session]?.answers.get(index)).length === 0;
  });
}

function onSameConnection(evidence: Evidence): ChangedAnswer[] {
  const { point, baseline, attempt } = evidence;
  const { owes, changesSession = false } = point.misbehaviour;
  if (changesSession) return [];
  const session = attempt.faulty;
  const affected = affectedRequests(point, session);
  return compared(session).flatMap(([index, live]): ChangedAnswer[] => {
    const isOwn = affected.has(index);
    if (isOwn && owes !== 'answer' && !isResult(live)) return [];
    const all = isOwn ? [live, ...furtherAnswers(evidence)] : [live];
    const differing = all.map((one) => unexpectedDifferences(baseline, index, one));
    // Of several answers under one id, one has to be that of the baseline.
    if (differing.some((one) => one.length === 0)) return [];
    const [difference] = differing[0] ?? [];
    if (difference === undefined) return [];
    const where = isOwn ? 'itself' : 'on the same connection';
    return [{ index, session: 'faulty', title: requestTitle(session, index), where, difference, isOwn }];
  });
}

function onNextConnection(session: PlayedSession, baseline: Baseline): ChangedAnswer[] {
  return compared(session).flatMap(([index, live]): ChangedAnswer[] => {
    const [difference] = unexpectedDifferences(baseline, index, live);
    if (difference === undefined) return [];
    const where = 'on the next connection';
    return [{ index, session: 'fresh', title: requestTitle(session, index), where, difference, isOwn: false }];
  });
}

/** What the recorded client cancels may be answered or not. */
function compared({ answers, unanswered, run }: PlayedSession): [number, unknown][] {
  return [...answers].filter(([index]) => !unanswered.has(index) && !run.plan.links.cancelOf.has(index));
}

/** Answers to the message that the client misbehaved at, beside the first, which the player has taken. */
function furtherAnswers({ point, attempt }: Evidence): unknown[] {
  const own = attempt.faulty.seen.responses.filter(({ id }) => isIdOf(point, id));
  return own.slice(1).map(({ json }) => withoutEnvelope(json.value));
}

function withoutEnvelope(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { id: _, jsonrpc: __, ...rest } = value;
  return rest;
}
