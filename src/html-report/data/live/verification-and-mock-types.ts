import type { VerifiedStep } from '../report-data-types.ts';

/** An error as a page shows it. */
export interface ShownProblem {
  code: string;
  message: string;
  next: string;
}

/** Verification, mock server and fork of a session, as requested from a page. */
export interface SessionWork {
  verification?: VerificationUpdate;
  mock?: MockUpdate;
  fork?: ForkUpdate;
}

/** State of a verification. `failed`: it could not be run. `outdated`: an answer was edited since it began. */
export type VerificationState = 'running' | 'stopped' | 'ended' | 'failed' | 'outdated';

/** A question of the live server that waits for a person. */
export interface ShownQuestion {
  id: number;
  method: string;
  /** Params, as JSON. */
  params: string;
  /** The recorded result or error, as JSON. */
  answer: string;
  isError: boolean;
  /** The answer is part of the client's next request (2026-07-28), and cannot be an error. */
  isInput?: true;
}

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
  /** Questions of the server that wait for an answer. */
  questions: ShownQuestion[];
  /** Why the run told little: the server did not start, did not answer, or ended. */
  problem?: ShownProblem;
}

/** A fault rule of the mock server. */
export interface MockRule {
  /** Number of the rule, for its removal. */
  id: number;
  /** Name of the fault. */
  fault: string;
  /** The rule as an item of a YAML list. */
  yaml: string;
  /** How often it has fired. */
  fired: number;
}

/** A fault that fits a message, as a menu shows it. */
export interface OfferedFault {
  name: string;
  /** Effect in one sentence. */
  doc: string;
}

/** Deviation of a client or of the mock server. */
export interface MockFinding {
  /** Whether the finding is a client request without a recorded counterpart. */
  isMiss: boolean;
  text: string;
}

/** Update of the mock server that plays the session. */
export interface MockUpdate {
  /** Number of the mock server. A new number invalidates all earlier counts. */
  edition: number;
  isServing: boolean;
  /** URL for clients. */
  url: string;
  /** How often the recorded messages of these lines were sent, as far as that has changed. */
  played: [line: number, count: number][];
  /** Most recent findings: deviations from the recording. */
  findings: MockFinding[];
  /** Number of all findings, and of misses among them. */
  found: number;
  missed: number;
  /** Fault rules in effect. */
  rules: MockRule[];
}

/** Update of the session's last fork: its cassette is played up to a line, and then the live server goes on. */
export interface ForkUpdate {
  /** Whether a client may connect, or is connected. */
  isOpen: boolean;
  /** Last line that is played. */
  line: number;
  /** URL for the one client. */
  url: string;
  /** Whether a client has come. */
  hasClient: boolean;
  /** Name of the new cassette. */
  output: string;
  /** What the user of the client should know, in order. */
  notes: string[];
  /** Why the fork ended early. */
  problem?: ShownProblem;
}
