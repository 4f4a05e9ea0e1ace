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

/** Control sessions, which show whether a lost or repeated message explains a changed answer. */
export interface Controls {
  /** Sessions in which the client omits the message. */
  without?: Attempt;
  /** Sessions in which the client sends the request twice, with different ids. */
  again?: Attempt;
}

/** What the client did in a session, and what the server owes then. */
export interface JudgedPoint {
  misbehaviour: Pick<
    Misbehaviour,
    'owes' | 'ends' | 'asksAgain' | 'changesSession' | 'isUnreadable' | 'statuses' | 'needsSession' | 'source'
  >;
  /** The misbehaved message. Absent: all recorded messages were sent as they are, and others beside them. */
  what?: ClientMessage;
}

/** The input of a verdict on a server. */
export interface Evidence {
  point: JudgedPoint;
  baseline: Baseline;
  attempt: Attempt;
  controls?: Controls;
}
