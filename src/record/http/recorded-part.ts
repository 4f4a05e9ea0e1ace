import type { Frame, Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { CutReason } from '../../transports/http/http1/body-memory.ts';

/**
 * Message as a line: offset `start` of `bytes` up to the line's end, for the fast path. `frame` returns the same
 * message for the slow path.
 */
export interface FastPathLine {
  kind: 'line';
  from: Side;
  at: Milliseconds;
  bytes: Uint8Array;
  start: number;
  /** Whether the line is a complete body. False: it is the data of a server-sent event. */
  isBody: boolean;
  /** Id of the server-sent event. */
  id?: string;
  frame(): Frame;
}

/** Parts of an exchange for a cassette, in order. */
export type RecordedPart =
  /** Frame without stream number. `endpoint`: URI for POST requests (2024-11-05), whose session id the frame hides. */
  | { kind: 'frame'; frame: Frame; endpoint?: string }
  | FastPathLine
  /** Notice that a body was cut. */
  | { kind: 'cut'; from: Side; reason: CutReason };
