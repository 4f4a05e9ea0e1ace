import type { ClientMessage, Misbehaviour } from '../misbehaviour.ts';
import type { PlayedSession } from '../play-session.ts';
import type { Baseline } from './baseline.ts';

/**
 * An attempt at a point: a session with the misbehaviour, then a session without one. `fresh` is undefined if the
 * server accepts no connection after the misbehaviour.
 */
export interface Attempt {
  faulty: PlayedSession;
  fresh: PlayedSession | undefined;
}

/** Control sessions, which show whether lost or repeated messages explain a changed answer. */
export interface Controls {
  /** Sessions in which the client omits misbehaved messages that may be lost. Of two, it omits one, the other, or both. */
  without: readonly Attempt[];
  /** Sessions in which the client sends a misbehaved request twice, with different ids. */
  again: readonly Attempt[];
}

/** What the client did in a session, and what the server owes then. */
export interface JudgedPoint {
  misbehaviour: Pick<
    Misbehaviour,
    | 'owes'
    | 'ends'
    | 'asksAgain'
    | 'changesSession'
    | 'isUnreadable'
    | 'statuses'
    | 'refusesPosts'
    | 'needsSession'
    | 'source'
  >;
  /** The misbehaved message. Absent: all recorded messages were sent as they are, and others beside them. */
  what?: ClientMessage;
}

/** The input of a verdict on a server. */
export interface Evidence {
  /** All misbehaviours of the session, in order. */
  points: readonly JudgedPoint[];
  baseline: Baseline;
  attempt: Attempt;
  controls?: Controls;
}
