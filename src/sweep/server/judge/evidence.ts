import type { MisbehaviourCase } from '../misbehaviour-matrix.ts';
import type { PlayedSession } from '../play-session.ts';
import type { Baseline } from './baseline.ts';

/** A session with a misbehaviour, and an ordinary one with the same server after it. Absent: the server was not there any more. */
export interface Attempt {
  faulty: PlayedSession;
  fresh: PlayedSession | undefined;
}

/** Sessions that show what a difference means. */
export interface Controls {
  /** The client does not send the message at all. */
  without?: Attempt;
  /** The client makes the request twice. */
  again?: Attempt;
}

/** All that a verdict on a server rests on. */
export interface Evidence {
  point: MisbehaviourCase;
  baseline: Baseline;
  attempt: Attempt;
  controls?: Controls;
}
