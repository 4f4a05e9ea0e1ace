import type { Journal } from '../../journal/journal.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import type { ServerHandlers } from '../server/server-handlers.ts';
import type { SeededRules } from './fault-history.ts';

/** A mock server as its control sees it. */
export interface ControlledServer {
  transport: 'http' | 'stdio';
  /** Path of the cassette, or of the folder that has some. */
  cassette: string;
  /** Over HTTP: where clients connect. */
  url?: string;
  /** Revisions of the protocol that the cassette shows. */
  protocol: readonly string[];
  journal: Journal;
  handlers: ServerHandlers;
  /** These rules hold from the next message on, in place of those before. */
  useFaults(faults: SeededRules): void;
  /** Says how it has gone so far, and ends nothing. */
  outcome(): ReplayOutcome;
  /** Begins anew with these rules, and says how it went until now. Absent: the server has one client and one session. */
  reset?(faults: SeededRules): ReplayOutcome;
  /** As {@link HttpMockServer.expireSessions}. Absent: it has one session, which ends with the process. */
  expireSessions?(): number | undefined;
}
