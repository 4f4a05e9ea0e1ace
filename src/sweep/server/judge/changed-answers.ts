import type { Difference } from '../../../match/json-difference.ts';
import { isObject } from '../../../protocol/message.ts';
import type { PlayedSession } from '../play-session.ts';
import { affectedRequests, isIdOf, isResult, requestTitle } from './affected-requests.ts';
import { type Baseline, unexpectedDifferences } from './baseline.ts';
import type { Attempt, Evidence, JudgedPoint } from './evidence-types.ts';

/** A live answer that differs from the baseline. */
export interface ChangedAnswer {
  /** Position of the recorded request. */
  index: number;
  session: keyof Attempt;
  title: string;
  /** Connection of the request, in words. `itself`: the request with the misbehaviour. */
  where: string;
  difference: Difference;
  /** The request is one of {@link affectedRequests}: its answer is allowed to change. */
  isOwn: boolean;
}

/** Returns the changed answers of an attempt. Those on the connection with the misbehaviour come first. */
export function changedAnswers(evidence: Evidence): ChangedAnswer[] {
  const { attempt, baseline } = evidence;
  return [...onSameConnection(evidence), ...(attempt.fresh ? changedAnswersOf(attempt.fresh, baseline) : [])];
}

/** Reports whether the sessions of a control gave all of these changed answers too. */
export function areAsIn(control: Attempt, { attempt, baseline }: Evidence, changed: readonly ChangedAnswer[]): boolean {
  const { unstable } = baseline;
  return changed.every(({ index, session }) => {
    const answers = control[session]?.answers;
    if (answers?.has(index) !== true) return false;
    return unexpectedDifferences({ answers, unstable }, index, attempt[session]?.answers.get(index)).length === 0;
  });
}

function onSameConnection(evidence: Evidence): ChangedAnswer[] {
  const { points, baseline, attempt } = evidence;
  if (points.some(({ misbehaviour }) => misbehaviour.changesSession)) return [];
  const session = attempt.faulty;
  const affected = points.map((point) => affectedRequests(point, session));
  return compared(session).flatMap(([index, live]): ChangedAnswer[] => {
    const own = points.filter((_, number) => affected[number]!.has(index));
    const isOwn = own.length > 0;
    if (own.some(({ misbehaviour }) => misbehaviour.owes !== 'answer') && !isResult(live)) return [];
    const all = [live, ...own.flatMap((point) => allAnswers(point, session))];
    const differing = all.map((one) => unexpectedDifferences(baseline, index, one));
    // A duplicated request may get several responses with one id: one response equal to the baseline is enough.
    if (differing.some((one) => one.length === 0)) return [];
    const [difference] = differing[0] ?? [];
    if (difference === undefined) return [];
    const where = isOwn ? 'itself' : 'on the same connection';
    return [{ index, session: 'faulty', title: requestTitle(session, index), where, difference, isOwn }];
  });
}

/** Returns the changed answers of a session without misbehaviour. */
export function changedAnswersOf(session: PlayedSession, baseline: Baseline): ChangedAnswer[] {
  return compared(session).flatMap(([index, live]): ChangedAnswer[] => {
    const [difference] = unexpectedDifferences(baseline, index, live);
    if (difference === undefined) return [];
    const where = 'on the next connection';
    return [{ index, session: 'fresh', title: requestTitle(session, index), where, difference, isOwn: false }];
  });
}

/**
 * Returns the answers to compare. Requests that the recorded client cancels are left out: a server may answer them or
 * not.
 */
function compared({ answers, unanswered, run }: PlayedSession): [number, unknown][] {
  return [...answers].filter(([index]) => !unanswered.has(index) && !run.plan.links.cancelOf.has(index));
}

/** Returns all responses with the id of the misbehaved message. The player has consumed one of them. */
function allAnswers(point: JudgedPoint, { seen }: PlayedSession): unknown[] {
  const own = seen.responses.filter(({ id }) => isIdOf(point, id));
  return own.map(({ json }) => withoutEnvelope(json.value));
}

function withoutEnvelope(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { id: _, jsonrpc: __, ...rest } = value;
  return rest;
}
