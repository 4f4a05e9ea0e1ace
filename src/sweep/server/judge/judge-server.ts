import type { Milliseconds } from '../../../kernel/clock.ts';
import { describeDifference } from '../../../match/json-difference.ts';
import { isResponse } from '../../../protocol/message.ts';
import { leftText } from '../../../transports/stdio/leftover-processes.ts';
import { isUncaught } from '../../uncaught-error.ts';
import { type ClientMessage, needsResponse } from '../misbehaviour.ts';
import { type HeardResponse, isGivenUp } from '../observed-server.ts';
import type { PlayedSession } from '../play-session.ts';
import { affectedRequests, isIdOf, isResult, positionIn, requestTitle } from './affected-requests.ts';
import { straysIn } from './baseline.ts';
import { areAsIn, changedAnswers } from './changed-answers.ts';
import type { Attempt, Evidence, JudgedPoint } from './evidence-types.ts';
import type { Judgement } from './server-verdict-kinds.ts';

const UNREACHED = 'the session ended before the misbehaviour happened: mcp-record verify shows how the server differs';
const UNREACHED_SECOND = 'the session ended before the second misbehaviour happened';
const TOO_LATE = 'it answered before the client could cancel, sooner than without misbehaviour: run the point again';
const SILENT = 'it does not answer, not even with an error';
const ANSWERED_IN_VAIN =
  'it answers the cancelled request with a result, although it should send no response. It may, if it cannot cancel this request';
/** Time in which an answer may have crossed the cancel. */
const CROSSING: Milliseconds = 20;
const RESPONSES = 'Base Protocol, "Responses"';

/** Judges a server: returns the first failed check, or its treatment of the misbehaved message. */
export function judgeServer(evidence: Evidence): Judgement {
  const { points, attempt } = evidence;
  const { faulty } = attempt;
  const unreached = whyUnreached(faulty, points.length);
  for (const check of [crashed, leaked, hung, stray, repeated, changed]) {
    const found = check(evidence);
    if (found === undefined) continue;
    if (faulty.hasFired || faulty.isTooLate) return found;
    // The misbehaviour is not its cause.
    return { verdict: 'unreached', why: `${unreached}. ${found.verdict}: ${found.why}` };
  }
  if (!faulty.hasFired) return { verdict: 'unreached', why: unreached };
  const own = points.map((point) => ownAnswer(point, faulty));
  return (
    own.find(({ verdict }) => verdict === 'corrupted') ??
    own.find(({ verdict }) => verdict === 'ignored') ??
    own.find(({ verdict }) => verdict === 'refused') ??
    own[0]!
  );
}

function whyUnreached({ isTooLate, unchanged, hasFiredFirst }: PlayedSession, count: number): string {
  if (isTooLate) return TOO_LATE;
  if (count > 1 && hasFiredFirst && unchanged === undefined) return UNREACHED_SECOND;
  return unchanged === undefined ? UNREACHED : `the misbehaviour changed nothing: ${unchanged}`;
}

type Check = (evidence: Evidence) => Judgement | undefined;

const crashed: Check = ({ points, attempt: { faulty, fresh }, baseline }) => {
  if (fresh === undefined) return { verdict: 'crashed', why: 'nobody can connect to it any more' };
  const hasLeft = endsWithProcess(points, faulty);
  for (const [session, where] of [
    [faulty, 'its process'],
    [fresh, 'the process that was started after it'],
  ] as const) {
    const { run, stderr } = session;
    const { exit } = run;
    const bySignal = !run.killed && typeof exit?.status === 'string';
    const mayEnd = session === faulty && hasLeft;
    if (run.died && !mayEnd && run.isProcess) {
      return {
        verdict: 'crashed',
        why: `${where} ended with ${exit?.status ?? 'its output closed'}, and the client was there`,
      };
    }
    if (bySignal) return { verdict: 'crashed', why: `${where} was ended by ${exit.status}` };
    const status = run.killed ? undefined : exit?.status;
    if (typeof status === 'number' && status !== 0 && baseline.statuses.size > 0 && !baseline.statuses.has(status)) {
      const usual = [...baseline.statuses].join(' or ');
      return {
        verdict: 'crashed',
        why: `${where} ended with status ${status}, and without misbehaviour with ${usual}`,
      };
    }
    // Exit status 0, or a process that had to be killed, means that the server caught and logged the error.
    const mayHaveDied = !run.killed && exit?.status !== 0;
    if (mayHaveDied && isUncaught(stderr) && !baseline.hasUncaught) {
      return { verdict: 'crashed', why: `${where} ended of an error that nobody caught` };
    }
  }
  return undefined;
};

const leaked: Check = ({ attempt: { faulty, fresh }, baseline }) => {
  const left = faulty.left ?? fresh?.left;
  if (baseline.left || left === undefined) return undefined;
  return {
    verdict: 'leaked',
    why: `it left ${leftText(left)}, still there 2 s after its end`,
    cause: 'processes that it had started were still there 2 s after its end',
  };
};

const hung: Check = (evidence) => {
  const { points, attempt, baseline } = evidence;
  const { faulty, fresh } = attempt;
  const hasLeft = endsWithProcess(points, faulty);
  const isOver = faulty.run.stopped !== undefined || hasLeft;
  const missing = [...faulty.unanswered].filter((index) => !baseline.unanswered.has(index));
  const affected = points.map((point) => affectedRequests(point, faulty));
  const late = missing.filter((index) => !affected.some((own) => own.has(index)));
  if (!isOver && late.length > 0) return unanswered(faulty, late, 'on the same connection');
  if (!isOver) {
    // A message that both misbehaviours affect may be lost if either of them permits the loss.
    const mayBeLost = (index: number) =>
      points.some(({ misbehaviour }, number) => affected[number]!.has(index) && !needsResponse(misbehaviour));
    const own = missing.filter((index) => !late.includes(index) && !mayBeLost(index));
    const source = points.find((_, number) => affected[number]!.has(own[0] ?? -1))?.misbehaviour.source;
    if (own.length > 0) return unanswered(faulty, own, 'itself', source);
  }
  const gaveUp = faulty.run.stopped !== undefined && !hasLeft;
  if (gaveUp) {
    const cause = late.length > 0 ? unanswered(faulty, late, 'on the same connection').cause : undefined;
    return { verdict: 'hung', why: faulty.run.stopped!, ...(cause !== undefined && { cause }) };
  }
  const after = fresh ? [...fresh.unanswered].filter((index) => !baseline.unanswered.has(index)) : [];
  if (fresh && after.length > 0) return unanswered(fresh, after, 'on the next connection');
  if (faulty.run.killed && !faulty.hasExited && (!baseline.isKilled || hasLeft)) {
    return { verdict: 'hung', why: 'its process did not end when its input had ended' };
  }
  if (fresh?.run.killed && !fresh.hasExited && !baseline.isKilled) {
    return {
      verdict: 'hung',
      why: 'the process that was started after it did not end with its input',
    };
  }
  return undefined;
};

const stray: Check = ({ points, attempt: { faulty, fresh }, baseline }) => {
  const unreadable = points.filter(({ misbehaviour }) => misbehaviour.isUnreadable);
  const about = faulty.seen.responses.filter((one) => unreadable.some((point) => isAboutMessage(point, one))).length;
  const source = onlySource(points);
  const count = straysIn(faulty) - about;
  if (count > baseline.strays) {
    return { verdict: 'stray', why: 'it answered what nobody had asked', source: source ?? RESPONSES };
  }
  if (fresh && straysIn(fresh) > baseline.strays) {
    return { verdict: 'stray', why: 'it answered on the next connection what nobody had asked', source: RESPONSES };
  }
  return undefined;
};

const changed: Check = (evidence) => {
  const { controls } = evidence;
  const found = changedAnswers(evidence);
  const [first] = found;
  if (first === undefined) return undefined;
  const source = onlySource(evidence.points);
  const isAsIn = (control: Attempt) => areAsIn(control, evidence, found);
  // The answers changed because the server never received a message, or discarded it: both are allowed.
  if (controls?.without.some(isAsIn)) return undefined;
  const why = `${first.title} is answered ${first.where} with ${describeDifference(first.difference)}`;
  const cause = `a request is answered otherwise ${first.where}`;
  if (controls?.again.some(isAsIn)) {
    return { verdict: 'repeated', why: `${why}, as if the request had been made twice`, cause };
  }
  return { verdict: 'corrupted', why, cause, ...(first.isOwn && source && { source }) };
};

const repeated: Check = ({ points, attempt: { faulty } }) => {
  const source = onlySource(points);
  const isResumed = points.some(({ misbehaviour }) => misbehaviour.resumes);
  if (!faulty.run.isProcess && !isResumed) return undefined;
  const counts = new Map<string, number>();
  for (const { id } of faulty.seen.responses) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of counts) {
    const asked = faulty.seen.requestCounts.get(id);
    const own = points.filter((point) => isIdOf(point, id));
    const again = own.reduce((sum, { misbehaviour: { asksAgain = 0 } }) => sum + asksAgain, 0);
    if (asked === undefined || count <= asked + again) continue;
    if (isResumed && own.length === 0) {
      const why = `it sends the answer to request ${id}, which came on another stream, again on the resumed one`;
      return { verdict: 'stray', why, cause: 'it sends answers of other streams again', ...(source && { source }) };
    }
    const why = `it answered request ${id} ${count} times`;
    return { verdict: 'repeated', why, cause: 'it answered a request several times', source: source ?? RESPONSES };
  }
  return undefined;
};

/** Reports whether a misbehaviour closes the connection, which ends the server process. */
function endsWithProcess(points: readonly JudgedPoint[], { run, hasFired }: PlayedSession): boolean {
  return hasFired && run.isProcess && points.some(({ misbehaviour }) => misbehaviour.ends?.includes('stdio') === true);
}

/**
 * Returns the specification section of the only misbehaviour. For a pair, nobody knows which misbehaviour led to the
 * verdict.
 */
function onlySource(points: readonly JudgedPoint[]): string | undefined {
  return points.length === 1 ? points[0]?.misbehaviour.source : undefined;
}

/**
 * Reports whether a response may be the error response to an unreadable message. Such a response has the id null, or
 * the id of the damaged response.
 */
function isAboutMessage(point: JudgedPoint, { id, isAfter }: HeardResponse): boolean {
  return isAfter && (id === 'null' || (point.what?.kind === 'response' && isIdOf(point, id)));
}

/** Judges the answer to the misbehaved message itself, after all other checks have passed. */
function ownAnswer({ what, misbehaviour }: JudgedPoint, session: PlayedSession): Judgement {
  const { owes, source, needsSession = false } = misbehaviour;
  const statuses = needsSession && !session.hasSession ? undefined : misbehaviour.statuses;
  if (what === undefined) return { verdict: 'passed' };
  if (misbehaviour.deleteStatuses) return deleteAnswer(session, misbehaviour.deleteStatuses, source);
  if (what.kind !== 'request')
    return misbehaviour.refusesPosts ? postedAnswer(what, session, statuses, source) : { verdict: 'passed' };
  const { message } = what.entry;
  const index = positionIn(session.run, what.entry);
  const id = 'id' in message ? JSON.stringify(message.id) : '';
  const refusal = session.seen.refusals.get(id);
  const hasRefused = refusal !== undefined && !isGivenUp(refusal);
  const live = session.answers.get(index);
  const isAnswered = session.answers.has(index) && refusal === undefined;
  const own = session.seen.responses.filter((one) => one.isAfter && (one.id === id || one.id === 'null'));
  const hasError = hasRefused || own.some(({ json }) => isResponse(json.value) && 'error' in json.value);
  if (owes === 'error') {
    if (statuses !== undefined && refusal?.status !== undefined && !statuses.includes(refusal.status)) {
      const why = `it answers with HTTP status ${refusal.status}, not ${statuses.join(' or ')}`;
      return { verdict: 'ignored', why, ...(source && { source }) };
    }
    if (hasError) return { verdict: 'refused' };
    const hasResult = isAnswered && isResult(live);
    if (hasResult && statuses === undefined) return { verdict: 'passed' };
    const why = hasResult ? `it answers with a result, not with HTTP status ${statuses?.join(' or ')}` : SILENT;
    return { verdict: 'ignored', why, ...(source && { source }) };
  }
  const isInVain = own.some(
    (one) => one.id === id && one.delay > CROSSING && isResponse(one.json.value) && 'result' in one.json.value,
  );
  const wrong =
    isAnswered && isResult(live) ? misbehaviour.wrongResult?.((live as { result: unknown }).result) : undefined;
  if (wrong) return { verdict: 'corrupted', why: wrong, ...(source && { source }) };
  if (misbehaviour.isInFlight && isInVain)
    return { verdict: 'ignored', why: ANSWERED_IN_VAIN, ...(source && { source }) };
  if (isAnswered && isResult(live)) return { verdict: 'passed' };
  return { verdict: owes === 'answer' && isAnswered ? 'passed' : 'refused' };
}

/** Judges the answer to the DELETE of another client, and that session after it. */
function deleteAnswer(
  { deletes }: PlayedSession,
  statuses: readonly number[] | 'any',
  source: string | undefined,
): Judgement {
  const [one] = deletes;
  if (one === undefined) return { verdict: 'passed' };
  const { status, pingAfter } = one;
  const ignored = (why: string): Judgement => ({ verdict: 'ignored', why, ...(source && { source }) });
  if (statuses === 'any') {
    const isKept = pingAfter !== undefined && pingAfter < 300;
    return isKept
      ? ignored('it answers in a session that it has ended with DELETE, not with HTTP status 404')
      : { verdict: 'passed' };
  }
  if (status === undefined) return ignored('it does not answer the DELETE');
  if (statuses.includes(status)) return { verdict: 'refused' };
  return ignored(`it answers the DELETE with HTTP status ${status}, not ${alternatives(statuses)}`);
}

function alternatives(statuses: readonly number[]): string {
  return [statuses.slice(0, -1).join(', '), statuses.at(-1)].join(' or ');
}

/** Judges the HTTP answer to a notification or response that the server has to refuse. */
function postedAnswer(
  { entry }: ClientMessage,
  { run }: PlayedSession,
  statuses: readonly number[] | undefined,
  source: string | undefined,
): Judgement {
  if (statuses === undefined || run.isProcess) return { verdict: 'passed' };
  const { refusal } = run.refusedMessages.find(({ recorded }) => recorded?.event === entry.event) ?? {};
  if (refusal?.status !== undefined && statuses.includes(refusal.status)) return { verdict: 'refused' };
  const how = refusal === undefined ? 'it accepts the message' : `it answers with ${refusal.words}`;
  const why = `${how}, not with HTTP status ${statuses.join(' or ')}`;
  return { verdict: 'ignored', why, ...(source && { source }) };
}

function unanswered(session: PlayedSession, indexes: readonly number[], where: string, source?: string): Judgement {
  const title = requestTitle(session, indexes[0]!);
  return {
    verdict: 'hung',
    why: `${title} is not answered ${where}`,
    cause: `a request is not answered ${where}`,
    source: source ?? 'JSON-RPC 2.0, 5 "Response object"',
  };
}
