import { isCancelledBeforeResponse } from '../../cassette/correlate/session-ends.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { ExitFrame, LineFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { pointerOf } from '../../protocol/json-pointer.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isRequest } from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { UnreadableMessage } from '../../replay/findings/batch-or-missing-jsonrpc.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import { isMadeUp } from '../../replay/prepare/add-missing-handshake.ts';
import type { ReturnedValueRewriter } from '../../replay/tokens/returned-values.ts';
import { isOfRule, issuedInResponse, referencedIn, type TokenRule } from '../../replay/tokens/token-locations.ts';
import type { StreamCounts } from '../../transports/http/client/lost-stream-counts.ts';
import type { HttpFailure } from '../compare/classify-http-failure.ts';
import type { RefusedOpen } from './live-server-types.ts';

/** A recorded request with the live server's answer. Further live pages share the request of the last recorded page. */
export interface Exchange {
  request: SessionEntry;
  /** Recorded answer, if the cassette has one. */
  recorded: SessionEntry | undefined;
  live: JsonText;
  duration: Milliseconds;
  /** HTTP failure of the request. `live` is then the error that an SDK client returns. */
  refusal?: HttpFailure;
  /** HTTP status of the answer. */
  status?: number;
  /** Set if the answer came after the client had stopped waiting and continued. */
  isLate?: true;
  /** Set if the answer, or the end of its stream, ended a subscription that the recorded client ended later. */
  isEarlyEnd?: true;
}

/** A live notification, or a request of the server, with its recorded entry. */
export interface NotificationPair {
  recorded: SessionEntry | undefined;
  live: JsonText;
  /** Recorded request of a subscription, set if this notification ended it, and the recorded client ended it later. */
  endedSubscription?: SessionEntry;
}

/** A notification or response of the recorded client that the live server refused over HTTP. */
export interface RefusedMessage {
  message: JsonText;
  /** Recorded entry of the message. */
  recorded: SessionEntry | undefined;
  refusal: HttpFailure;
}

/** Observations of a live server during the playback of a recorded client. */
export interface ServerRunResult {
  exchanges: Exchange[];
  notifications: NotificationPair[];
  refusedMessages: RefusedMessage[];
  /** Refused requests without a message. */
  refusedOpens?: readonly RefusedOpen[] | undefined;
  /** Messages of the live server that clients cannot read. */
  unreadable: UnreadableMessage[];
  findings: Finding[];
  /** Played plan. */
  plan: ReplayPlan;
  /** Values of recorded answers that later requests repeat, with their live counterparts. */
  returned: Pick<ReturnedValueRewriter, 'values' | 'live'>;
  /** Places of values that a test names. */
  handles?: readonly TokenRule[];
  /** Whether the cassette was written by hand. */
  isHandWritten: boolean;
  /** Whether the live server is a process. */
  isProcess: boolean;
  /** Requests answered in the cassette but not by the live server. */
  unanswered: SessionEntry[];
  /** Entry indexes of unanswered requests that a fault has cancelled. */
  cancelled: Set<number>;
  /** Sent requests, by the index of the recorded entry. */
  sentRequests: Map<number, JsonText>;
  /** Entry index of each sent message → when it was sent. */
  sentMessages: Map<number, Milliseconds>;
  /** Invalid lines of the live server, truncated: the first of its output and the last of standard error. */
  noise: LineFrame[];
  /** Exit of the server process. */
  exit?: ExitFrame;
  /** Whether the process survived the end of its input and was killed. */
  killed: boolean;
  /** Whether the live server ended before the recorded client. */
  died: boolean;
  /** Number of HTTP event streams that the server ended too early, and of resumed ones. */
  streams?: Readonly<StreamCounts> | undefined;
  /** Reason for giving up a session that neither continued nor ended. */
  stopped?: string;
  /** Whether the recording lacks an end, because its recorder was killed or its file truncated. */
  isCutShort?: boolean;
  /** Whether the session was aborted from outside. Missing messages are then no fault of the server. */
  isAborted: boolean;
  duration: Milliseconds;
}

/** What is known of a run before it begins. */
type KnownOfRun = Pick<ServerRunResult, 'isHandWritten' | 'plan' | 'returned' | 'handles' | 'isProcess' | 'isCutShort'>;

/** Returns the result of a run that has not begun. */
export function emptyRun(known: KnownOfRun): ServerRunResult {
  return {
    ...known,
    exchanges: [],
    notifications: [],
    refusedMessages: [],
    unreadable: [],
    findings: [],
    unanswered: [],
    sentRequests: new Map(),
    sentMessages: new Map(),
    cancelled: new Set(),
    noise: [],
    killed: false,
    died: false,
    isAborted: false,
    duration: 0,
  };
}

/** Returns the requests that the cassette answers and the live server does not, except cancelled ones. */
export function unansweredRequests({ plan, exchanges, cancelled }: ServerRunResult): SessionEntry[] {
  const { entries, links } = plan;
  const answered = new Set([...exchanges.map(({ request }) => request.index), ...cancelled]);
  return [...links.answerOf.keys()]
    .map((index) => entries[index]!)
    .filter((entry) => entry.from === 'client' && !isMadeUp(entry) && !answered.has(entry.index))
    .filter(({ index }) => !isCancelledBeforeResponse(index, links));
}

/** Reports whether the client stopped waiting for a recorded answer. */
export function wasMissed({ findings }: ServerRunResult, recorded: SessionEntry | undefined): boolean {
  return recorded !== undefined && findings.some(({ kind, entry }) => kind === 'missing' && entry === recorded);
}

/**
 * Reports whether a stream, which the recorded server left open, ends before the client has cancelled it. A cancelled call
 * may be answered early: the server is only faster.
 */
export function endsStreamEarly({ index, message, frame }: SessionEntry, run: ServerRunResult): boolean {
  const { plan, sentMessages } = run;
  const { entries, links } = plan;
  if (!isRequest(message) || !isStream(message.method) || links.answerOf.has(index)) return false;
  const cancel = entries[links.cancelOf.get(index) ?? -1];
  if (cancel?.from === 'server') return false;
  const closes = (entry: SessionEntry) =>
    entry.frame.kind === 'close' && entry.from === 'client' && entry.frame.stream === frame.stream;
  return !entries.some((entry) => (entry === cancel || closes(entry)) && sentMessages.has(entry.index));
}

/** Returns the recorded request of the subscription that a server's `notifications/cancelled` ends early. */
export function subscriptionEndedBy(live: JsonText, run: ServerRunResult): SessionEntry | undefined {
  const { value } = live;
  if (!isNotification(value) || value.method !== 'notifications/cancelled') return undefined;
  const id = scalarKeyAt(live, ['params', 'requestId']);
  const [index] = [...run.sentRequests].find(([, sent]) => scalarKeyAt(sent, ['id']) === id) ?? [];
  const request = run.plan.entries[index ?? -1];
  return request && endsStreamEarly(request, run) ? request : undefined;
}

/**
 * Returns why a recorded request was not sent: an answer lacks a value that the request repeats, such as a cursor.
 * Undefined: it was sent.
 */
export function unsentReason({ index, json, message }: SessionEntry, driven: ServerRunResult): string | undefined {
  const { exchanges, sentRequests, handles = [] } = driven;
  if (sentRequests.has(index)) return undefined;
  const used = json === undefined || message === undefined ? [] : referencedIn(message, undefined, handles);
  for (const { path, kind } of used) {
    const value = scalarKeyAt(json!, path);
    if (value === undefined) continue;
    for (const { request, recorded, live } of exchanges) {
      if (recorded?.json === undefined || !isRequest(request.message)) continue;
      const issued = issuedInResponse(recorded.message!, request.message, handles);
      const place = issued.find((one) => one.kind === kind && scalarKeyAt(recorded.json!, one.path) === value);
      if (place === undefined || scalarKeyAt(live, place.path) !== undefined) continue;
      const isOfTest = isOfRule(place);
      return `not sent: the answer at line ${recorded.line} has no ${pointerOf(place.path)}${isOfTest ? ' (handles)' : ''}`;
    }
  }
  return 'not sent: a message that it waits for did not come';
}

/** Maximum length of an unrecorded line that is kept for the report. */
const KEPT_LENGTH_MAX = 1_000;

/** Returns an unrecorded line, truncated to the kept length. */
export function keptPart(frame: LineFrame): LineFrame {
  return { ...frame, data: frame.data.slice(0, KEPT_LENGTH_MAX) };
}
