import type { Headers, SseFields } from '../../../src/channel/frame.ts';

/** One request over HTTP and what becomes of it. */
export interface Exchange {
  method: string;
  /** Those that matter, by lower-case name; empty: it is not there. */
  headers: Headers;
  /** JSON; absent: there is none. */
  body?: unknown;
  /** The client closes its connection when it has heard what `answer` has, and waits for nothing more. */
  leaves?: true;
  answer: Answer;
}

export interface Answer {
  status: number;
  /** Those that matter, by lower-case name. */
  headers?: Headers;
  /** JSON, or text; absent: there is none, or it does not matter. */
  body?: unknown;
  /** The answer is a stream of events. */
  events?: readonly StreamEvent[];
  /** How a stream goes on after the last of them: it ends (absent), loses its connection, or stays open. */
  ending?: 'breaks' | 'stays';
}

export interface StreamEvent extends Pick<SseFields, 'id' | 'retry'> {
  /** JSON; absent: the data is empty. */
  data?: unknown;
}

/** What the scripted server issues: a mock server issues another. */
export const SESSION = 'a-session';
export const JSON_TYPE = 'application/json';
export const SSE_TYPE = 'text/event-stream';
