import type { OutputStream, WireFrame } from './frame.ts';

/**
 * One end of a connection. Frames are pushed: a message that passes through allocates no object and no promise. See
 * docs/decisions/0001-push-channels.md.
 */
export interface Channel {
  /** Starts the delivery of the peer's frames. Call it once. `receive` must not throw. */
  listen(receive: (frame: WireFrame) => void): void;
  /**
   * Sends `frame` to the peer. False: the frame is buffered because the peer is not reading; wait for `drained` before
   * sending more.
   */
  send(frame: WireFrame): boolean;
  /** Calls `resume` once, after the peer has read everything sent on `stream`. */
  drained(stream: OutputStream, resume: () => void): void;
  /** Stops reading `stream`. The writer then blocks, as it would without a proxy. */
  pause(stream: OutputStream): void;
  resume(stream: OutputStream): void;
}
