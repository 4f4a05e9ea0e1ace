import type { When } from '../../faults/rules/when.ts';
import { escapeStep } from '../../protocol/json-pointer.ts';
import type { Request, Response } from '../../protocol/message.ts';
import { identityParams } from '../../protocol/method-rules.ts';

/** A response withheld from the client, with the messages that identify it. */
export interface WithheldResponse {
  /** Selects its request, and the same request made again. */
  asked: When;
  /** Selects the answer, as the cassette has it. */
  answered: When;
}

/** A rule that fired: its position among the rules of a point, and the id of the message. */
export interface Noted {
  rule: number;
  id?: string | number;
}

/** Positions of a case's rules: the fault, and two observers. */
const [FAULT, ASKED, ANSWERED] = [1, 2, 3];

/** Returns how to recognize the response to `asked` if it arrives anyway. */
export function withheldResponse(asked: Request, answer: Response): WithheldResponse {
  const { task: _, ...params } = identityParams(asked.method, asked.params);
  const places = Object.entries(params).map(([name, value]) => [`/params/${escapeStep(name)}`, value]);
  const { method } = asked;
  const at = 'result' in answer ? { '/result': answer.result } : { '/error': answer.error };
  return {
    asked: { from: 'client', kind: 'request', method, at: Object.fromEntries(places) },
    answered: { from: 'server', kind: 'response', method, at },
  };
}

/** Rules that change nothing, and whose entries in the journal say when the request was made, and its answer arrived. */
export function observerRules(lost: WithheldResponse | undefined): object[] {
  return lost ? [lost.asked, lost.answered].map((when) => ({ do: 'patch', when })) : [];
}

/** Whether the fault has happened. */
export function hasFired(journal: readonly Noted[]): boolean {
  return journal.some(({ rule }) => rule === FAULT);
}

/**
 * Whether the answer arrived after the fault had taken it. The same words may answer another call: so the client has to
 * have asked again meanwhile, or to get the answer under the id that it asked under, as on a stream that it took up.
 */
export function arrivedAnyway(journal: readonly Noted[]): boolean {
  const fault = journal.findIndex(({ rule }) => rule === FAULT);
  const since = journal.slice(fault + 1);
  const again = since.findIndex(({ rule }) => rule === ASKED);
  const isAgain = (at: number) => again >= 0 && at > again;
  return (
    fault >= 0 && since.some(({ rule, id }, at) => rule === ANSWERED && (isAgain(at) || id === journal[fault]!.id))
  );
}
