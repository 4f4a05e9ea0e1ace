import type { Change as CallerChange } from '../../match/change-severity.ts';

/**
 * What a report page is given: plain data, made by `mcp-record report` and drawn by the code in `browser/`. Positions
 * of items are those within the list of their view.
 */
export interface ReportData {
  /** Of mcp-record, which made the page. */
  version: string;
  views: View[];
}

/** One sequence diagram: a session, or what differs between two of them. */
export interface View {
  title: string;
  /** `differences`: items of two sessions, aligned. */
  kind: 'session' | 'differences';
  /** What the cassette says of itself, in a few words each. */
  facts: string[];
  /** Differences: how many there are, as `diff` counts them. */
  differences?: number;
  /** What a reader must know first: a cassette that was cut off, what loading had to leave out. */
  warnings: string[];
  /** Names and versions that the two sides gave themselves. */
  client?: string;
  server?: string;
  /** What each side can do, in a few words each: `tools (listChanged)`. */
  capabilities: Record<'client' | 'server', string[]>;
  /** Revision of MCP that was agreed on, or that the client claims. */
  revision?: string;
  /** HTTP: the server's URL. */
  url?: string;
  /** From the first event to the last, in milliseconds. */
  lasted: number;
  items: Item[];
  /** How many requests of each side are in flight at once, and how many HTTP exchanges: so many lanes there are. */
  lanes: Record<LaneGroup, number>;
  /** HTTP exchanges, in the order in which they began. */
  streams: StreamSpan[];
}

/** What has lanes: requests of the client, requests of the server, HTTP exchanges. */
export type LaneGroup = 'client' | 'server' | 'stream';

export interface StreamSpan {
  stream: number;
  lane: number;
  first: number;
  last: number;
}

/** What a request came to. */
export type ItemFate = 'answered' | 'error' | 'cancelled' | 'pending';

/** One thing that one side did: a row of the diagram. */
export interface Item {
  /** Names it in links: `line-58`; `line-58.2` for the second message of a batch. */
  id: string;
  line: number;
  /** Milliseconds since the session began. */
  at: number;
  from: 'client' | 'server';
  /** `request`, `response`, `notification`, `noise`, or what else may lie in a cassette. */
  kind: string;
  what: string;
  detail?: string;
  bytes?: number;
  /** Method of a request or notification; for an answer, progress or cancel, that of the request. */
  method?: string;
  /** The tool, prompt or resource it is about. */
  name?: string;
  /** The JSON-RPC id, as it is written. */
  rpcId?: string;
  stream?: number;
  fate?: ItemFate;
  failed?: true;
  /** From a request to its answer, on both. */
  took?: number;
  /** Position of a request's answer, and, on an answer, progress or cancel, that of the request. */
  answer?: number;
  request?: number;
  /** Position of the cancel that names this request. */
  cancel?: number;
  /** On a request of the server: position of the client's call that it came up in, where there is no doubt. */
  within?: number;
  /** Lane of a request on its side. */
  lane?: number;
  content?: Content;
  /** HTTP: status, headers and fields of the event, where they were not ordinary; JSON. */
  carried?: string;
  marks?: Mark[];
  change?: Change;
  /** Differences: what changed for callers, where the answer is a promise of the server. */
  callers?: CallerChange[];
}

/** What a person may read and copy. */
export interface Content {
  /** Exactly as it crossed the wire, or its beginning. */
  text: string;
  language: 'json' | 'text';
  /** Full number of characters, if the page holds only the beginning. */
  cutFrom?: number;
}

/** Something to know about an item that the session itself does not say. */
export interface Mark {
  kind: 'lint-error' | 'lint-warning' | 'fault';
  /** In a few words: a rule's name, a fault's. */
  title: string;
  text: string;
  /** Where the specification demands it. */
  source?: string;
}

/** What became of an item between two sessions. */
export interface Change {
  kind: 'changed' | 'added' | 'removed';
  /** It stands elsewhere among the others. */
  moved?: true;
  differences: { path: string; before?: string; after?: string }[];
  /** Where the first session has it. */
  beforeLine?: number;
  before?: Content;
}
