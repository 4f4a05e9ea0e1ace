import { isCancelledBeforeResponse } from '../../cassette/correlate/session-ends.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { ExitFrame, LineFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { UnreadableMessage } from '../../replay/findings/batch-or-missing-jsonrpc.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import { isMadeUp } from '../../replay/prepare/add-missing-handshake.ts';
import type { ReturnedValueRewriter } from '../../replay/tokens/returned-values.ts';
import type { StreamCounts } from '../../transports/http/client/stream-counts.ts';
import type { HttpFailure } from '../compare/classify-http-failure.ts';

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
  /** The client had given up the wait, and gone on. */
  isLate?: true;
}

/** A live notification, or a request of the server, with its recorded entry. */
export interface NotificationPair {
  recorded: SessionEntry | undefined;
  live: JsonText;
}

/** A notification or an answer of the recorded client that the live server refused, over HTTP. */
export interface RefusedMessage {
  message: JsonText;
  /** Its recorded entry. */
  recorded: SessionEntry | undefined;
  refusal: HttpFailure;
}

/** Observations of a live server during the playback of a recorded client. */
export interface ServerRunResult {
  exchanges: Exchange[];
  notifications: NotificationPair[];
  refusedMessages: RefusedMessage[];
  /** Messages of the live server that clients cannot read. */
  unreadable: UnreadableMessage[];
  findings: Finding[];
  /** Played plan. */
  plan: ReplayPlan;
  /** Values of recorded answers that the recorded client sends later, and the live ones. */
  returned: Pick<ReturnedValueRewriter, 'values' | 'live'>;
  /** Whether the cassette was written by hand. */
  isHandWritten: boolean;
  /** Whether the live server is a process. */
  isProcess: boolean;
  /** Requests answered in the cassette but not by the live server. */
  unanswered: SessionEntry[];
  /** Positions of the requests that a fault has cancelled, and that have no answer. */
  cancelled: Set<number>;
  /** Sent requests, by the positions of the recorded ones. */
  sentRequests: Map<number, JsonText>;
  /** Invalid lines of the live server, truncated: the first of its output and the last of standard error. */
  noise: LineFrame[];
  /** Exit of the server process. */
  exit?: ExitFrame;
  /** The process survived the end of its input and was killed. */
  killed: boolean;
  /** Whether the live server ended before the recorded client. */
  died: boolean;
  /** Event streams that the server has ended too early, over HTTP. */
  streams?: Readonly<StreamCounts> | undefined;
  /** Reason for giving up a session that neither continued nor ended. */
  stopped?: string;
  /** Whether the recording has no end, since its recorder was killed or its file cut short. */
  isCutShort?: boolean;
  /** The session was aborted from outside. What is missing says nothing about the server. */
  isAborted: boolean;
  duration: Milliseconds;
}

/** Returns the requests that have an answer in the cassette and none in the run, and that nobody cancelled. */
export function unansweredRequests({ plan, exchanges, cancelled }: ServerRunResult): SessionEntry[] {
  const { entries, links } = plan;
  const answered = new Set([...exchanges.map(({ request }) => request.index), ...cancelled]);
  return [...links.answerOf.keys()]
    .map((index) => entries[index]!)
    .filter((entry) => entry.from === 'client' && !isMadeUp(entry) && !answered.has(entry.index))
    .filter(({ index }) => !isCancelledBeforeResponse(index, links));
}

/** Reports whether the client has waited for a recorded answer in vain. */
export function wasMissed({ findings }: ServerRunResult, recorded: SessionEntry | undefined): boolean {
  return recorded !== undefined && findings.some(({ kind, entry }) => kind === 'missing' && entry === recorded);
}

/** Maximum length of an unrecorded line that is kept for the report. */
const KEPT_LENGTH_MAX = 1_000;

/** Returns the part of an unrecorded line that is kept. */
export function keptPart(frame: LineFrame): LineFrame {
  return { ...frame, data: frame.data.slice(0, KEPT_LENGTH_MAX) };
}
