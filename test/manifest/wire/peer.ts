import type { Inbox } from './inbox.ts';
import type { Line } from './line.ts';

/** A side of a conversation that the test speaks for. */
export interface Peer {
  inbox: Inbox;
  /** Says `line`; resolves when it has left. */
  say(line: Line): Promise<void> | void;
  /** Ends its side of the connection. */
  close(): Promise<void> | void;
  /** Resolves when the other side has left its stream. */
  left?(): Promise<void>;
  /** The two have agreed on `revision`. */
  agree?(revision: string): void;
}
