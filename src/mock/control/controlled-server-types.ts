import type { Journal } from '../../journal/journal.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import type { ServerHandlers } from '../server/handlers-and-sessions.ts';
import type { SeededRules } from './fault-rules-and-firings.ts';

/** The operations of a mock server that the control API uses. */
export interface ControlledServer {
  transport: 'http' | 'stdio';
  /** Path of the cassette or cassette folder. */
  cassette: string;
  /** URL for clients, over HTTP only. */
  url?: string;
  /** Protocol revisions found in the cassette. */
  protocol: readonly string[];
  /** Reports whether the cassette uses a method that MCP does not have. */
  usesMethod(method: string): boolean;
  journal: Journal;
  handlers: ServerHandlers;
  /** Replaces the fault rules, from the next message on. */
  useFaults(faults: SeededRules): void;
  /** Returns the outcome so far. The session continues. */
  outcome(): ReplayOutcome;
  /**
   * Restarts with these fault rules. Returns the outcome up to now. Absent: the server has one client and one session.
   */
  reset?(faults: SeededRules): ReplayOutcome;
  /** As {@link HttpMockServer.expireSessions}. Absent: the only session ends with the process. */
  expireSessions?(): number | undefined;
}
