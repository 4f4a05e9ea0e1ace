import type { Change as CallerChange } from '../../match/contract-change-types.ts';

/**
 * Data of a report page: plain JSON, made by `mcp-record report` and drawn by the code in `browser/`. Positions are
 * indexes into the items of a view.
 */
export interface ReportData {
  /** Version of mcp-record that made the page. */
  version: string;
  views: View[];
  /** Whether the page first shows all sessions on one axis of time. */
  isTimeline?: true;
}

/** Session, or comparison of two sessions. */
export interface View {
  title: string;
  /** `differences`: items of two sessions, aligned. */
  kind: 'session' | 'differences';
  /** Session: short facts from the cassette header and end. Comparison: numbers of differences. */
  facts: string[];
  /** Comparison: number of differences, counted as in `diff`. */
  differences?: number;
  /** Warnings about the cassette: a recording cut off, parts that the loader skipped. */
  warnings: string[];
  /** Names and versions that the two sides report about themselves. */
  client?: string;
  server?: string;
  /** Name of the server without its version. */
  serverName?: string;
  /** Capabilities of each side, in short form: `tools (listChanged)`. */
  capabilities: Record<'client' | 'server', string[]>;
  /** Negotiated protocol version, or the version that the client claims. */
  revision?: string;
  /** HTTP: the server's URL. */
  url?: string;
  /** Start of the session, if the cassette says it. */
  start?: SessionStart;
  /** Timeline: the sessions that its items belong to. */
  sessions?: TimelineSession[];
  /** Duration between first and last event, in milliseconds. */
  lasted: number;
  items: Item[];
  /** Number of lanes for simultaneous requests of each side, and for simultaneous HTTP exchanges. */
  lanes: Record<LaneGroup, number>;
  /** HTTP exchanges, in the order in which they began. */
  streams: StreamSpan[];
}

/** Start of a session. */
export interface SessionStart {
  /** Milliseconds since 1970. */
  at: number;
  /** The cassette has the start to the second only: older recorders cut off the rest. */
  isRounded?: true;
}

/** Session on a timeline of several sessions. */
export interface TimelineSession {
  /** Name of the server, different for each session. */
  label: string;
  view: View;
}

/** Kind of lane: requests of the client, requests of the server, HTTP exchanges. */
export type LaneGroup = 'client' | 'server' | 'stream';

export interface StreamSpan {
  stream: number;
  /** Timeline: number of the session, from 0. Sessions number their exchanges independently. */
  session?: number;
  lane: number;
  first: number;
  last: number;
}

/** Outcome of a request. */
export type ItemFate = 'answered' | 'error' | 'cancelled' | 'pending';

/** Cassette entry, shown as one row of the diagram. */
export interface Item {
  /** Anchor for links: `line-58`; `line-58.2` for the second message of a batch; `s2-line-58` on a timeline. */
  id: string;
  line: number;
  /** Timeline: the session of the item, and its position there. */
  origin?: ItemOrigin;
  /** Milliseconds since the session, or the first one of a timeline, began. */
  at: number;
  from: 'client' | 'server';
  /** `request`, `response`, `notification`, `noise`, or another kind of frame. */
  kind: string;
  what: string;
  detail?: string;
  bytes?: number;
  /** Method of a request or notification. For a response, progress or cancellation: method of its request. */
  method?: string;
  /** Name of the tool or prompt, or URI of the resource. */
  name?: string;
  /** JSON-RPC id in JSON notation. */
  rpcId?: string;
  stream?: number;
  fate?: ItemFate;
  failed?: true;
  /** Milliseconds between request and response; set on both. On a cancelled request: until its cancellation. */
  took?: number;
  /**
   * `answer`: position of a request's response. `request`: on a response, progress or cancellation, position of the
   * request.
   */
  answer?: number;
  request?: number;
  /** Position of the cancellation of this request. */
  cancel?: number;
  /** On a server request: position of the client call during which it was sent, if unambiguous. */
  within?: number;
  /** Lane of a request on its side. */
  lane?: number;
  content?: Content;
  /** Recorded HTTP fields of the entry, such as status and headers, as JSON. */
  carried?: string;
  marks?: Mark[];
  change?: Change;
  /** Comparison: changes for callers in this response, the worst first. */
  callers?: CallerChange[];
  /** One-line summary of `callers`, in the wording of `diff`. */
  callersInBrief?: string;
  /** Live page: the step of the last verification that checked this item. */
  verified?: VerifiedStep;
  /** Live page: how often the mock server has sent this message. */
  played?: number;
}

/** Origin of an item on a timeline. */
export interface ItemOrigin {
  /** Label of the session. */
  server: string;
  /** Number of the session on the timeline, from 0. */
  session: number;
  /** Position of the item in its session. */
  position: number;
}

/** Step of a verification: one check of a live server against the cassette. */
export interface VerifiedStep {
  title: string;
  /** Line in the cassette. Absent: the cassette lacks what the server sent. */
  line?: number;
  status: 'passed' | 'failed' | 'skipped' | 'error';
  headline?: string;
  details?: readonly string[];
  /** Milliseconds until the answer. */
  took?: number;
  differences?: ValueDifference[];
  callers?: readonly CallerChange[];
}

/** Content of an event, for reading and copying. */
export interface Content {
  /** Original text, possibly truncated. */
  text: string;
  language: 'json' | 'text';
  /** Full number of characters, if the text is truncated. */
  cutFrom?: number;
}

/** Lint finding or injected fault that concerns an item. */
export interface Mark {
  kind: 'lint-error' | 'lint-warning' | 'fault';
  /** Name of the rule or fault. */
  title: string;
  text: string;
  /** Section of the specification that demands it. */
  source?: string;
}

/** Value that differs, by its JSON Pointer. Absent: the value is missing on that side. */
export interface ValueDifference {
  path: string;
  before?: string;
  after?: string;
}

/** Difference of an item between two sessions. */
export interface Change {
  kind: 'changed' | 'added' | 'removed';
  /** The item has a different place in the order of the two sessions. */
  moved?: true;
  differences: ValueDifference[];
  /** On a request: what became of it in both sessions, in the wording of `diff`: `answered → cancelled`. */
  headline?: string;
  /** Line in the first session. */
  beforeLine?: number;
  before?: Content;
}
