import type { OutputStream, WireFrame } from './frame.ts';

/**
 * One end of a connection. Frames are pushed: nothing is allocated and no promise is made for a message that passes.
 * See docs/decisions/0001-push-channels.md.
 */
export interface Channel {
  /** Begins delivery of what the peer says. Called once; `receive` does not throw. */
  listen(receive: (frame: WireFrame) => void): void;
  /** Says `frame` to the peer. False: it is kept, but the peer is not reading, so wait for `drained`. */
  send(frame: WireFrame): boolean;
  /** Calls back once, when the peer has read what was sent on `stream`. */
  drained(stream: OutputStream, resume: () => void): void;
  /** Stops reading `stream`, so that whoever writes to it blocks, as it would without us. */
  pause(stream: OutputStream): void;
  resume(stream: OutputStream): void;
}
