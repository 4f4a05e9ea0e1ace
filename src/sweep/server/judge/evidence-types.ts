import type { ClientMessage, Misbehaviour } from '../misbehaviour.ts';
import type { PlayedSession } from '../play-session.ts';
import type { Baseline } from './baseline.ts';

/**
 * Attempt at a point: a session with the misbehaviour, then a session without. `fresh` is undefined if the server
 * accepts no connection after the misbehaviour.
 */
export interface Attempt {
  faulty: PlayedSession;
  fresh: PlayedSession | undefined;
}

/** Control sessions, which show whether lost or repeated messages explain a changed answer. */
export interface Controls {
  /**
   * Sessions in which the client omits misbehaved messages that may be lost. For two such messages: three sessions,
   * which omit the first, the second, and both.
   */
  without: readonly Attempt[];
  /** Sessions in which the client sends a misbehaved request twice, with different ids. */
  again: readonly Attempt[];
}

/** Misbehaviour of the client in a session, with the resulting obligations of the server. */
export interface JudgedPoint {
  misbehaviour: Pick<
    Misbehaviour,
    | 'owes'
    | 'ends'
    | 'asksAgain'
    | 'changesSession'
    | 'isUnreadable'
    | 'isInFlight'
    | 'statuses'
    | 'refusesPosts'
    | 'needsSession'
    | 'deleteStatuses'
    | 'wrongResult'
    | 'resumes'
    | 'source'
  >;
  /** Misbehaved message. Absent: the client sent all recorded messages unchanged, and inserted additional messages. */
  what?: ClientMessage;
}

/** Evidence for a verdict on a server. */
export interface Evidence {
  /** All misbehaviours of the session, in order. */
  points: readonly JudgedPoint[];
  baseline: Baseline;
  attempt: Attempt;
  controls?: Controls;
}
