import type { VerifiedStep } from '../report-data-types.ts';

/** An error as a page shows it. */
export interface ShownProblem {
  code: string;
  message: string;
  next: string;
}

/** What `mcp-record ui` does with one session because a page asked for it. */
export interface SessionWork {
  verification?: VerificationUpdate;
}

/** State of a verification. `failed`: it could not be run. */
export type VerificationState = 'running' | 'stopped' | 'ended' | 'failed';

/** Update of the session's last verification. */
export interface VerificationUpdate {
  /** Number of the step list. A new number invalidates all earlier steps. */
  edition: number;
  state: VerificationState;
  /** New steps, which follow the earlier ones. */
  steps: VerifiedStep[];
  /** Titles of the requests that are not answered yet. */
  waiting: string[];
  /** Notes that belong to no step. */
  notes: readonly string[];
  /** Why the run told little: the server did not start, did not answer, or ended. */
  problem?: ShownProblem;
}
