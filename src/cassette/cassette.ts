import type { Frame } from '../channel/frame.ts';

export const FORMAT = 'mcp-record/1';

/** First line of every cassette that a recorder wrote. */
export const TITLE = '# MCP session recorded by mcp-record. Format: mcp-record/1';

export type Transport = 'stdio' | 'http';

export interface Header {
  format: typeof FORMAT;
  /** Name and version of the program that wrote the file. Absent: the file was written by hand. */
  recorder?: string;
  /** Start of the recording, ISO 8601 in UTC, to the millisecond. Older and hand-written cassettes: to the second. */
  recorded?: string;
  transport: Transport;
  /** HTTP: the server's URL, without credentials or query. */
  url?: string;
  /**
   * Names of the user's redaction rules, whose placeholders the file may have. A key that is an expression stands for
   * itself: `/^x-acme/i`. Absent: it is not known which rules redacted the file.
   */
  redactRules?: readonly string[];
}

/** Rules for comparing live messages with a recorded one. A user writes them; recorders write `optional`. */
export interface EventMatch {
  /** Parts that are not compared: JSON Pointers, or regular expressions for parts of texts (`/^rain/i`). */
  ignore?: string[];
  /**
   * Arguments that live calls may have. `any`: all. `partial`: the recorded ones, and perhaps more. A mapping: a
   * pattern, in which `/…/` is a regular expression. Absent: exactly the recorded ones.
   */
  arguments?: 'any' | 'partial' | Record<string, unknown>;
  /** Reuse of the answer: one time (`once`), repeatedly as the final answer (`last`), or in rotation (`cycle`). */
  repeat?: 'once' | 'last' | 'cycle';
  /**
   * A live peer may leave the message out. On an answer of the server: a live server may answer otherwise. Absent: the live
   * peer has to send it.
   */
  optional?: boolean;
}

/** Frame with its place in the cassette. */
export interface CassetteEvent {
  frame: Frame;
  match?: EventMatch;
  /** Line of the event in the file, from 1. */
  line: number;
}

/** Cassette, or its path. */
export type CassetteSource = string | Cassette;

/** Recorded session. */
export interface Cassette {
  /** Path as given to the reader, used in all messages about the cassette. */
  file: string;
  header: Header;
  events: CassetteEvent[];
  /** Reason for the end of the recording. Absent: the recorder was killed, or the file was written by hand. */
  end?: string;
  /** Sentences with a line number about content that loading skipped or guessed. The caller shows them. */
  warnings: string[];
}
