import type { Milliseconds } from '../kernel/clock.ts';
import type { JsonText } from '../protocol/json-text.ts';

/** Who said it. */
export type Side = 'client' | 'server';

interface Said {
  /** When it passed, since the session's first frame. */
  at: Milliseconds;
  from: Side;
}

/** One JSON-RPC message, or a batch of them: any JSON object or array that crossed the wire. */
export interface MessageFrame extends Said {
  kind: 'message';
  json: JsonText;
}

/**
 * What crossed the wire and is no message: a line of standard error, or a line of the protocol's own stream that
 * is not a JSON object or array. Bytes where it is not UTF-8, or too long to be held in memory.
 */
export interface NoiseFrame extends Said {
  kind: 'noise';
  on: 'protocol' | 'stderr';
  data: string | Uint8Array;
  /** The stream ended before this line did. */
  partial?: true;
}

/** A side stopped sending: end of file on its stream. */
export interface CloseFrame extends Said {
  kind: 'close';
}

/** A signal that the client sent to the server's process, e.g. SIGTERM. */
export interface SignalFrame extends Said {
  kind: 'signal';
  from: 'client';
  signal: string;
}

/** The server's process ended: its status, or the name of the signal that ended it. */
export interface ExitFrame extends Said {
  kind: 'exit';
  from: 'server';
  status: number | string;
}

/** What crosses the wire and what lies on the tape are the same value. */
export type Frame = MessageFrame | NoiseFrame | CloseFrame | SignalFrame | ExitFrame;

/** Which of a process's two outgoing streams. A client has only the first. */
export type Stream = NoiseFrame['on'];

/** A piece of a stream exactly as it was read: not cut at lines, not decoded. Never on a tape. */
export interface BytesFrame extends Said {
  kind: 'bytes';
  on: Stream;
  data: Uint8Array;
}

/** What a channel carries before anybody decodes it. */
export type WireFrame = Frame | BytesFrame;

export function otherSide(side: Side): Side {
  return side === 'client' ? 'server' : 'client';
}
