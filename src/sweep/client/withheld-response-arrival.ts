import { observe } from '../../faults/messages/observe.ts';
import type { When } from '../../faults/rules/when.ts';
import { escapeStep } from '../../protocol/json-pointer.ts';
import type { Request, Response } from '../../protocol/message.ts';
import { identityParams } from '../../protocol/method-table.ts';

/** Response withheld from the client, with the conditions that identify its request and its content. */
export interface WithheldResponse {
  /** Condition for the request and its repetitions. */
  request: When;
  /** Condition for the answer with its recorded content. */
  answered: When;
  /** The fault happens to an earlier message, without which the response does not come. */
  isLater?: true;
  /** The fault only delays the response. */
  isDelayed?: true;
}

/** Fired rule: its position among the rules of a point, with the message. */
export interface Noted {
  rule: number;
  /** Line of the cassette from which the message is played. Absent: the cassette does not contain the message. */
  line?: number;
  /** Method of the request. For a response: method of its request. */
  method?: string;
  id?: string | number;
  /** Why the fault changed nothing. Absent: the rule fired. */
  unchanged?: string;
}

/** Positions of the rules of a fault that withholds a response: itself, and its two observers. */
export interface WithholdingRules {
  fault: number;
  asked: number;
  answered: number;
  /** The fault happens to an earlier message than the response. */
  isLater?: true | undefined;
  /** Observer of cancels, if the fault only delays the response. */
  cancelled?: number | undefined;
}

/** Returns the conditions that recognize a withheld response and its request. */
export function withheldResponse(asked: Request, answer: Response): WithheldResponse {
  const { task: _, ...params } = identityParams(asked.method, asked.params);
  const places = Object.entries(params).map(([name, value]) => [`/params/${escapeStep(name)}`, value]);
  const { method } = asked;
  const at = 'result' in answer ? { '/result': answer.result } : { '/error': answer.error };
  return {
    request: { from: 'client', kind: 'request', method, at: Object.fromEntries(places) },
    answered: { from: 'server', kind: 'response', method, at },
  };
}

/**
 * Returns rules without effect. Their journal entries show when the client sent the request, and when the answer
 * arrived.
 */
export function observerRules(lost: WithheldResponse | undefined): object[] {
  return lost ? [lost.request, lost.answered].map((when) => ({ do: observe.name, when })) : [];
}

/** Returns a rule without effect, whose journal entries show when the client cancelled a request. */
export function observeCancels(): object {
  return { do: observe.name, when: { from: 'client', kind: 'notification', method: 'notifications/cancelled' } };
}

/** Returns a rule without effect, with a journal entry for each message of the server. */
export function observeAll(): object[] {
  return [{ do: observe.name, when: { from: 'server' } }];
}

/** Returns the firings of a journal, without the matches about which a fault changed nothing. */
export function firedIn(journal: readonly Noted[]): Noted[] {
  return journal.filter(({ unchanged }) => unchanged === undefined);
}

/** Reports whether the rule at this position has fired. */
export function hasFired(journal: readonly Noted[], position: number): boolean {
  return journal.some(({ rule }) => rule === position);
}

/**
 * Reports whether the withheld answer arrived later. Other calls may get an equal answer. So it counts only if the
 * client repeated the request before, or if the answer has the original id, as on a resumed stream. An answer that the
 * client had not asked for before the fault is not missing. One that comes after the client's cancel has not arrived.
 */
export function arrivedAnyway(
  journal: readonly Noted[],
  { fault, asked, answered, isLater, cancelled }: WithholdingRules,
): boolean {
  const withheld = journal.findIndex(({ rule }) => rule === fault);
  if (withheld < 0) return false;
  const request = journal.slice(0, withheld).findLastIndex(({ rule }) => rule === asked);
  if (isLater && request < 0) return true;
  const [from, own] = isLater ? [request, journal[request]!.id] : [withheld, journal[withheld]!.id];
  const again = journal.findIndex(({ rule }, at) => at > withheld && rule === asked);
  const isAgain = (at: number) => again >= 0 && at > again;
  const cancel =
    cancelled === undefined ? -1 : journal.findIndex(({ rule }, at) => at > withheld && rule === cancelled);
  const isInTime = (at: number) => cancel < 0 || at < cancel;
  return journal.some(
    ({ rule, id }, at) => at > from && rule === answered && (isAgain(at) || (id === own && isInTime(at))),
  );
}
