import type { Item } from './report-data-types.ts';
import type { ViewHead } from './view-of-items.ts';

/**
 * How far the recording of a cassette is. `unfinished`: it has no end, and nothing was written for a while. `by-hand`: no recorder
 * wrote it. `foreign`: the file is no cassette.
 */
export type CassetteState = 'growing' | 'unfinished' | 'ended' | 'by-hand' | 'damaged' | 'foreign' | 'removed';

/** An error as a page shows it. */
export interface ShownProblem {
  code: string;
  message: string;
  next: string;
}

/** One cassette in the list of sessions. */
export interface SessionRow {
  /** Name of the file in its folder. */
  name: string;
  state: CassetteState;
  client?: string;
  server?: string;
  events: number;
  bytes: number;
  /** When the recording began, as the cassette says. */
  recorded?: string;
  /** When the file was written last: `2026-11-24 18:08:25`. */
  changed: string;
  /** When another file took the place of the one that was shown: `18:08:25`. */
  replacedAt?: string;
  problem?: ShownProblem;
}

/** What may become of an item that a page has already. */
export type ItemOutcome = Pick<Item, 'fate' | 'took' | 'answer' | 'cancel' | 'marks'>;

/** What is new in the session that a page shows. */
export interface SessionUpdate {
  /** Items of another number are no longer those of the session. */
  edition: number;
  head?: ViewHead;
  /** Items that follow those that the page has. */
  items: Item[];
  outcomes: [position: number, outcome: ItemOutcome][];
  /** Whether more is there already. */
  hasMore: boolean;
}

/** What the server says of itself. */
export interface Hello {
  version: string;
  path: string;
  isFolder: boolean;
  /** Whether there is no cassette yet. */
  isEmpty: boolean;
}

/** What the server of the live page says to it. */
export interface LiveMessage {
  /** First message of a connection. What the page had from an earlier one is no longer valid. */
  hello?: Hello;
  /** Rows that are new or changed. */
  rows?: SessionRow[];
  update?: SessionUpdate;
  /** The session that the page asks for is not in the list. */
  isUnknown?: true;
}

/** Returns what may have become of an item. */
export function outcomeOf({ fate, took, answer, cancel, marks }: Item): ItemOutcome {
  return {
    ...(fate && { fate }),
    ...(took !== undefined && { took }),
    ...(answer !== undefined && { answer }),
    ...(cancel !== undefined && { cancel }),
    ...(marks && { marks }),
  };
}

/** Returns an item with what became of it. */
export function withOutcome(item: Item, outcome: ItemOutcome): Item {
  const { fate: _fate, took: _took, answer: _answer, cancel: _cancel, marks: _marks, ...rest } = item;
  return { ...rest, ...outcome };
}
