import type { Frame, Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';

/** A message in the line of `bytes` from `start`, which the fast path may take. Otherwise it is the frame. */
export interface RecordedLine {
  kind: 'line';
  from: Side;
  at: Milliseconds;
  bytes: Uint8Array;
  start: number;
  /** It is the body of a request or response, and not an event. */
  isBody: boolean;
  /** The id of the event. */
  id?: string;
  frame(): Frame;
}
