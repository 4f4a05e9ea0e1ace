import type { MisbehaviourCase, PlayedCase } from '../misbehaviour-cases.ts';
import { askAgain, leaveOut } from '../misbehaviours/repeat-message.ts';
import type { Attempt, Controls } from './evidence-types.ts';

/** Maximum number of messages whose loss is tried as the reason for other answers. */
const CONTROLS_MAX = 20;

/** Plays a session with misbehaviours, and one without. */
type PlayAttempt = (cases: readonly PlayedCase[]) => Promise<Attempt>;

/**
 * Plays all control sessions of the misbehaviours of a session. A message that arrives once is not sent twice: a server
 * that mixes up requests in flight gives any answer, by chance that of a request made twice.
 */
export async function playControls(cases: readonly MisbehaviourCase[], play: PlayAttempt): Promise<Controls> {
  const { without } = controlCases(cases);
  const { again } = controlCases(cases.filter(({ misbehaviour }) => !misbehaviour.arrivesOnce));
  const controls = { without: [] as Attempt[], again: [] as Attempt[] };
  for (const some of without) controls.without.push(await play(some));
  for (const some of again) controls.again.push(await play(some));
  return controls;
}

/** Plays the control sessions of many sessions, those of equal messages once, and returns each when it is played. */
export async function* playEachControl(cases: readonly MisbehaviourCase[], play: PlayAttempt): AsyncGenerator<Attempt> {
  const distinct = [...new Map(cases.map((one) => [`${one.message} ${one.misbehaviour.owes}`, one])).values()];
  const { without, again } = controlCases(distinct.slice(0, CONTROLS_MAX));
  for (const some of [...without, ...again]) yield await play(some);
}

/** Returns the misbehaviours of control sessions: messages that may be lost are left out, or requests are made twice. */
function controlCases(cases: readonly MisbehaviourCase[]): Record<keyof Controls, PlayedCase[][]> {
  const losable = cases.filter(({ misbehaviour }) => misbehaviour.owes !== 'answer').map(instead(leaveOut));
  const single = losable.map((one) => [one]);
  const again = cases.filter(({ what }) => what.kind === 'request').map((one) => [instead(askAgain)(one)]);
  return { without: losable.length === 2 ? [...single, losable] : single, again };
}

function instead(misbehaviour: PlayedCase['misbehaviour']): (one: MisbehaviourCase) => PlayedCase {
  return ({ what, when }) => ({ misbehaviour, what, when });
}
