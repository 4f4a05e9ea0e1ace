import type { MisbehaviourCase, PlayedCase } from '../misbehaviour-cases.ts';
import { askAgain, leaveOut } from '../misbehaviours/repeat-message.ts';
import type { Controls } from './evidence-types.ts';

/** Returns the misbehaviours of control sessions: messages that may be lost are left out, or requests are made twice. */
export function controlCases(cases: readonly MisbehaviourCase[]): Record<keyof Controls, PlayedCase[][]> {
  const losable = cases.filter(({ misbehaviour }) => misbehaviour.owes !== 'answer').map(instead(leaveOut));
  const single = losable.map((one) => [one]);
  const again = cases.filter(({ what }) => what.kind === 'request').map((one) => [instead(askAgain)(one)]);
  return { without: losable.length === 2 ? [...single, losable] : single, again };
}

function instead(misbehaviour: PlayedCase['misbehaviour']): (one: MisbehaviourCase) => PlayedCase {
  return ({ what, when }) => ({ misbehaviour, what, when });
}
