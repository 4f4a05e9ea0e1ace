import type { Frame } from '../channel/frame.ts';

export const FORMAT = 'mcp-record/1';

/** First line of every cassette that a recorder wrote. */
export const TITLE = '# MCP session recorded by mcp-record. Format: mcp-record/1';

export type Transport = 'stdio' | 'http';

export interface Header {
  format: typeof FORMAT;
  /** Name and version of the program that wrote the file; absent in files written by hand. */
  recorder?: string;
  /** When the recording began, ISO 8601 in UTC, to the second. */
  recorded?: string;
  transport: Transport;
  /** HTTP: the server's URL, without credentials or query. */
  url?: string;
}

/** How a live message is compared with a recorded one, where people want it otherwise than usual. Never recorded. */
export interface EventMatch {
  /** JSON Pointers to what does not count. */
  ignore?: string[];
  /**
   * The arguments of live calls that it stands for: `any`; `partial`: those that have the recorded ones, and perhaps more; a
   * pattern, in which `/…/` is a regular expression. Absent: the recorded ones.
   */
  arguments?: 'any' | 'partial' | Record<string, unknown>;
  /** Whether its answer serves `once`, as the `last` one again and again, or in a `cycle` with the others. */
  repeat?: 'once' | 'last' | 'cycle';
}

/** A frame with its place in the cassette. */
export interface CassetteEvent {
  frame: Frame;
  match?: EventMatch;
  /** Line of the event in the file, from 1. */
  line: number;
}

/** A cassette, or the path of one. */
export type CassetteSource = string | Cassette;

/** One session. */
export interface Cassette {
  /** Path as given to the reader. Every message about the cassette names it. */
  file: string;
  header: Header;
  events: CassetteEvent[];
  /** Why the recording ended. Absent: the recorder was killed, or the file was written by hand. */
  end?: string;
  /** What loading had to leave out or guess, as sentences with a line; the caller shows them. */
  warnings: string[];
}
