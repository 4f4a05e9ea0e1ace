import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { ExitFrame, LineFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import type { HttpFailure } from '../compare/http-failure-advice.ts';

/** A recorded request with the live server's answer. Further live pages share the request of the last recorded page. */
export interface Exchange {
  request: SessionEntry;
  /** Recorded answer, if the cassette has one. */
  recorded: SessionEntry | undefined;
  live: JsonText;
  duration: Milliseconds;
  /** HTTP failure in place of an answer. `live` is then the error that an SDK client would return. */
  refusal?: HttpFailure;
  /** HTTP status of the answer. */
  status?: number;
}

/** A live notification with its recorded entry. */
export interface NotificationPair {
  recorded: SessionEntry | undefined;
  live: JsonText;
}

/** Observations of a live server during the playback of a recorded client. */
export interface ServerRunResult {
  exchanges: Exchange[];
  notifications: NotificationPair[];
  findings: Finding[];
  /** Played plan. */
  plan: ReplayPlan;
  /** Whether the cassette was written by hand. */
  isHandWritten: boolean;
  /** Whether the live server is a process. */
  isProcess: boolean;
  /** Requests answered in the cassette but not by the live server. */
  unanswered: SessionEntry[];
  /** Positions of the requests that a fault has cancelled, and that have no answer. */
  cancelled: Set<number>;
  /** Positions of the sent recorded requests. */
  sentRequests: Set<number>;
  /** Invalid lines of the live server, truncated: the first of its output and the last of standard error. */
  noise: LineFrame[];
  /** Exit of the server process. */
  exit?: ExitFrame;
  /** The process survived the end of its input and was killed. */
  killed: boolean;
  /** Whether the live server ended before the recorded client. */
  died: boolean;
  /** Reason for giving up a session that neither continued nor ended. */
  stopped?: string;
  /** Whether the recording has no end, since its recorder was killed or its file cut short. */
  isCutShort?: boolean;
  /** The session was aborted from outside. What is missing says nothing about the server. */
  isAborted: boolean;
  duration: Milliseconds;
}
