import type { ViewHead } from './lanes/view-with-lanes.ts';
import type { SessionWork, ShownProblem } from './live/verification-and-mock-types.ts';
import type { Item } from './report-data-types.ts';

export type { ShownProblem } from './live/verification-and-mock-types.ts';

/**
 * Recording state of a cassette. `unfinished`: the cassette has no end, and has not grown for a minute. `by-hand`: no
 * recorder wrote the cassette. `foreign`: the file is not a cassette.
 */
export type CassetteState = 'growing' | 'unfinished' | 'ended' | 'by-hand' | 'damaged' | 'foreign' | 'removed';

/** Row of the session list: one cassette. */
export interface SessionRow {
  /** Name of the file in its folder. */
  name: string;
  state: CassetteState;
  client?: string;
  server?: string;
  events: number;
  bytes: number;
  /** Differs after each write to the file. */
  version: string;
  /** Start time of the recording, as in the cassette header. */
  recorded?: string;
  /** Time of the last write to the file: `2026-11-24 18:08:25`. */
  changed: string;
  /** Time at which a different file replaced this cassette: `18:08:25`. */
  replacedAt?: string;
  problem?: ShownProblem;
}

/** Fields of an item that later events may change. */
export type ItemOutcome = Pick<Item, 'fate' | 'took' | 'answer' | 'cancel' | 'marks'>;

/** Update of an open session. */
export interface SessionUpdate {
  /** Name of the session. */
  name: string;
  /** Number of the item list. A new number invalidates all earlier items. */
  edition: number;
  head?: ViewHead;
  /** New items, which follow the earlier ones. */
  items: Item[];
  outcomes: [position: number, outcome: ItemOutcome][];
  /** Whether the server has more items ready to send. */
  hasMore: boolean;
}

/** Description of the UI server: version and displayed path. */
export interface Hello {
  version: string;
  path: string;
  isFolder: boolean;
  /** Whether the folder has no cassette yet. */
  isEmpty: boolean;
  /** The server under test, as the command line names it. Absent: it names none. */
  server?: string;
}

/** Server-sent event of the live page. */
export interface LiveMessage {
  /** First message of a connection. Data from earlier connections becomes invalid. */
  hello?: Hello;
  /** Rows that are new or changed. */
  rows?: SessionRow[];
  update?: SessionUpdate;
  /** Whether a requested session is missing from the list. */
  isUnknown?: true;
  /** Verification and mock server of the open session. */
  work?: SessionWork;
}

/** Request to check or save an edited answer. */
export interface EditRequest {
  /** Line of the answer's event. */
  line: number;
  /** Position of the answer in its batch, or 0 for a single message. */
  part: number;
  /** Answer in the page's current version, as JSON. */
  before: string;
  /** New result or error, as JSON or YAML. */
  text: string;
  /** Version of the file when the edit began. */
  version: string;
  /** False: the edit is only checked. */
  save: boolean;
}

/** Line of a difference. */
export interface DifferenceLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/**
 * Reply to an `EditRequest`. `line` and `column` locate a problem in the user's text. `warnings`: protocol violations
 * of a saved answer.
 */
export type EditReply =
  | { difference: DifferenceLine[]; saved?: true; warnings?: string[] }
  | { problem: ShownProblem & { line?: number; column?: number } };

/** Returns the outcome fields of an item. */
export function outcomeOf({ fate, took, answer, cancel, marks }: Item): ItemOutcome {
  return {
    ...(fate && { fate }),
    ...(took !== undefined && { took }),
    ...(answer !== undefined && { answer }),
    ...(cancel !== undefined && { cancel }),
    ...(marks && { marks }),
  };
}

/** Returns a copy of an item with new outcome fields. */
export function withOutcome(item: Item, outcome: ItemOutcome): Item {
  const { fate: _fate, took: _took, answer: _answer, cancel: _cancel, marks: _marks, ...rest } = item;
  return { ...rest, ...outcome };
}
