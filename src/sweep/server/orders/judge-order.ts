import { messageTitle } from '../../../contract/message-title.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { describeDifference, differences } from '../../../match/json-difference.ts';
import { isRequest } from '../../../protocol/message.ts';
import { type Baseline, unexpectedDifferences } from '../judge/baseline.ts';
import type { ChangedAnswer } from '../judge/changed-answers.ts';
import type { JudgedPoint } from '../judge/evidence-types.ts';
import type { Judgement } from '../judge/server-verdict-kinds.ts';
import type { PlayedSession } from '../play-session.ts';
import type { ReorderedSession } from './reorder-session.ts';
import type { ServerOrderVerdict } from './server-order-verdicts.ts';

/** Verdict on an order, with its reason. */
export type OrderJudgement = Omit<Judgement, 'verdict'> & { verdict: ServerOrderVerdict };

/** The client sends each message unchanged, so that the server owes every answer. */
export const OF_ORDER: JudgedPoint = { misbehaviour: { owes: 'answer' } };

export const MAY_TAKE_ANY_ORDER = 'A server may take requests in flight at once in any order';

const GONE =
  'the session ended before all messages of the order were sent: mcp-record verify shows how the server differs';

/** How far an order came about. */
export interface OrderProgress {
  /** Whether the client has sent a message ahead of one that was recorded before it. */
  hasBegun: boolean;
  /** Reason why the order did not come about as a whole. Undefined: it did. */
  why: string | undefined;
  /** A message of the order did not get what it waited for. */
  hasWaitedInVain: boolean;
}

/** Returns how far the order of a session came about. The session is as played, with its own plan. */
export function orderProgress({ run }: PlayedSession, { recorded, moved }: ReorderedSession): OrderProgress {
  const { plan, sentMessages, findings } = run;
  const ofOrder = moved.map((event) => plan.entries.filter((entry) => entry.event === event));
  const isSent = ofOrder.map((own) => own.every(({ index }) => sentMessages.has(index)));
  const events = moved.map((event) => recorded[event]!);
  const least = events.map((_, at) => Math.min(...events.slice(at + 1)));
  const early = events.findIndex((event, at) => event > least[at]!);
  const indexes = new Set(ofOrder.flat().map(({ index }) => index));
  const awaited = new Set(
    [...plan.sequences].flatMap(({ steps }) => steps.flatMap(({ entry, needs }) => (indexes.has(entry) ? needs : []))),
  );
  const vain = findings.find(
    ({ kind, entry }) => kind === 'missing' && entry !== undefined && awaited.has(entry.index),
  );
  return {
    hasBegun: isSent[early] === true,
    hasWaitedInVain: vain !== undefined,
    why: vain?.text ?? (isSent.every(Boolean) ? undefined : GONE),
  };
}

export interface ExplainOptions {
  baseline: Baseline;
  /** Sessions in which the client makes each request after the answer to the one before, in several orders. */
  oneByOne: AsyncIterable<PlayedSession>;
  /** Plays the order of the point so, and returns the session on the next connection. */
  afterOneByOne(): Promise<PlayedSession | undefined>;
  /** Session of the point. */
  session: Pick<PlayedSession, 'answers' | 'run'>;
  /** Session on the next connection. */
  fresh: Pick<PlayedSession, 'answers'> | undefined;
}

/**
 * Judges answers that are others than in the recorded order. A server may take requests in flight at once in any order, so
 * an answer is right if the request gets it in some order, one request after the other.
 */
export async function judgeChangedAnswers(
  changed: readonly ChangedAnswer[],
  options: ExplainOptions,
): Promise<OrderJudgement> {
  const { baseline, oneByOne, afterOneByOne, session, fresh } = options;
  const liveOf = ({ index, session: which }: ChangedAnswer) =>
    (which === 'faulty' ? session : fresh)?.answers.get(index);
  const isOpen = (control: Pick<PlayedSession, 'answers'> | undefined) => (one: ChangedAnswer) =>
    !isAnsweredSo(control, { index: one.index, live: liveOf(one), baseline });
  let open = changed.filter((one) => one.session === 'faulty');
  let tried = 0;
  if (open.length > 0) {
    for await (const control of oneByOne) {
      tried++;
      open = open.filter(isOpen(control));
      if (open.length === 0) break;
    }
  }
  const later = changed.filter((one) => one.session === 'fresh');
  if (open.length === 0 && later.length > 0) open = later.filter(isOpen(await afterOneByOne()));
  const [first] = open;
  if (first !== undefined) return corrupted(first, { baseline, live: liveOf(first), session, tried });
  const { title, index, where, difference } = changed[0]!;
  const request = `${title} of line ${session.run.plan.entries[index]?.line}`;
  return {
    verdict: 'depends',
    why: `${request} gets another answer ${where}, for example with ${describeDifference(difference)}, as when the requests are made one after the other. ${MAY_TAKE_ANY_ORDER}`,
    cause: `${request} depends on the order`,
  };
}

interface Answered {
  /** Position of the recorded request. */
  index: number;
  live: unknown;
  baseline: Baseline;
}

/** Reports whether a request gets the same answer in a control session. */
function isAnsweredSo(
  control: Pick<PlayedSession, 'answers'> | undefined,
  { index, live, baseline: { unstable } }: Answered,
): boolean {
  if (control?.answers.has(index) !== true) return false;
  return unexpectedDifferences({ answers: control.answers, unstable }, index, live).length === 0;
}

const RESPONSE = 'JSON-RPC 2.0, 5 "Response object"';

interface CorruptedOptions extends Pick<ExplainOptions, 'baseline' | 'session'> {
  live: unknown;
  /** Number of sessions that do not explain the answer. */
  tried: number;
}

function corrupted(changed: ChangedAnswer, { baseline, session, live, tried }: CorruptedOptions): OrderJudgement {
  const { title, index, where, difference } = changed;
  const { entries } = session.run.plan;
  const said = `${title} of line ${entries[index]?.line} is answered ${where} with ${describeDifference(difference)}`;
  const isOfAnother = ([one, answer]: [number, unknown]) =>
    isOtherRequest(entries[one]?.message, entries[index]?.message) && differences(answer, live).length === 0;
  const other = entries[[...baseline.answers].find(isOfAnother)?.[0] ?? -1];
  if (changed.session === 'faulty' && other !== undefined) {
    return {
      verdict: 'corrupted',
      why: `${said}: that is the answer to ${messageTitle(other.message)} of line ${other.line}`,
      cause: 'a request gets the answer to another one',
      source: RESPONSE,
    };
  }
  const sessions = tried > 0 ? `, nor as in ${formatCount(tried, 'session')} with one request after the other` : '';
  return {
    verdict: 'corrupted',
    why: `${said}: not as in the recorded order${sessions}`,
    cause: `a request is answered otherwise ${where}`,
  };
}

/** Reports whether two requests ask for different things. */
function isOtherRequest(one: unknown, other: unknown): boolean {
  if (!isRequest(one) || !isRequest(other)) return false;
  return one.method !== other.method || differences(one.params, other.params).length > 0;
}
