import type { Milliseconds } from '../kernel/clock.ts';
import type { JsonText } from '../protocol/json-text.ts';

/** Sender of a frame. */
export type Side = 'client' | 'server';

interface Said {
  /** Time since the session's first frame. */
  at: Milliseconds;
  from: Side;
  /** HTTP: number of the exchange that carried the frame, counted from 1 within a session. Absent on stdio. */
  stream?: number;
}

/** HTTP header fields by lower-case name. */
export type Headers = Record<string, string>;

/** The fields of a server-sent event beside its data (HTML "Server-sent events"). */
export interface SseFields {
  id?: string;
  /** Absent: `message`. */
  event?: string;
  /** A string if a number cannot hold its digits. */
  retry?: Milliseconds | string;
}

/** HTTP details of a line or message. Ordinary values are absent. */
interface Carried {
  /** Present if a server-sent event carried the frame. Absent: the response body did. */
  sse?: SseFields;
  /** Status of the response with this body. */
  status?: number;
  headers?: Headers;
  /** Present if the server issued a session id in this response. The id itself is never kept. */
  session?: 'new';
}

/** JSON-RPC message or batch: any JSON object or array on the wire. */
export interface MessageFrame extends Said, Carried {
  kind: 'message';
  json: JsonText;
}

/** Creates a message frame from `json`, with the HTTP details of `carrier`. */
export function messageFrame(
  json: JsonText,
  carrier: MessageFrame | LineFrame,
  at: Milliseconds,
  stream: number | undefined,
): MessageFrame {
  const { from, sse, status, headers, session } = carrier;
  const frame: MessageFrame = { kind: 'message', at, from, json };
  // Separate assignments: an object spread would more than double the cost of this function.
  if (stream !== undefined) frame.stream = stream;
  if (sse !== undefined) frame.sse = sse;
  if (status !== undefined) frame.status = status;
  if (headers !== undefined) frame.headers = headers;
  if (session !== undefined) frame.session = session;
  return frame;
}

/**
 * A line that is not a message: a line of standard error, or a line of protocol output without a JSON object or array.
 * The data is bytes if the line is not UTF-8, or too long to be held in memory.
 */
export interface LineFrame extends Said, Carried {
  kind: 'line';
  on: 'protocol' | 'stderr';
  data: string | Uint8Array;
  /** The stream ended before the line break. */
  partial?: true;
  /** Set if the recorder sent the line in place of its side. A peer under test may then leave out the line. */
  optional?: true;
  /** Rules for a peer that is tested with the cassette, to be written beside the message. */
  match?: object;
}

/** End of a side's output. On stdio: end of file. */
export interface CloseFrame extends Said {
  kind: 'close';
  /** HTTP: clean end (absent), connection closed, or connection reset. */
  how?: 'end' | 'fin' | 'rst';
}

/** HTTP: start of an exchange without a message of the client, such as a listening stream or the end of a session. */
export interface OpenFrame extends Said {
  kind: 'open';
  from: 'client';
  method: string;
  /** Present if it differs from the path of the server's URL. */
  path?: string;
  headers?: Headers;
  /** `Last-Event-ID`: the event after which the client resumes the stream. */
  resumes?: string;
  body?: string | Uint8Array;
}

/** HTTP: response with a status and no message, or the start of an event stream. */
export interface ResponseFrame extends Said {
  kind: 'http-response';
  from: 'server';
  status: number | 'sse';
  headers?: Headers;
  session?: 'new';
  body?: string | Uint8Array;
}

/** HTTP: server-sent event without a message, such as the priming event of 2025-11-25. */
export interface SseFrame extends Said {
  kind: 'sse';
  from: 'server';
  sse: SseFields & { data?: string };
}

/** HTTP: a comment line of an event stream. */
export interface CommentFrame extends Said {
  kind: 'comment';
  from: 'server';
  text: string;
}

/** HTTP: one exchange of an authorization flow, which no session plays. It belongs to no stream. */
export interface AuthorizationFrame extends Said {
  kind: 'authorization';
  from: 'client';
  /** Request and response, as the cassette format describes them. */
  json: JsonText;
}

/** Signal from the client to the server's process, e.g. SIGTERM. */
export interface SignalFrame extends Said {
  kind: 'signal';
  from: 'client';
  signal: string;
}

/** End of the server's process: its exit status, or the name of the signal that ended it. */
export interface ExitFrame extends Said {
  kind: 'exit';
  from: 'server';
  status: number | string;
}

/** Frame of a session. Channels and cassettes use the same value. */
export type Frame =
  | MessageFrame
  | LineFrame
  | CloseFrame
  | SignalFrame
  | ExitFrame
  | OpenFrame
  | ResponseFrame
  | SseFrame
  | CommentFrame
  | AuthorizationFrame;

/** Output stream of a process. A client has only `protocol`. */
export type OutputStream = LineFrame['on'];

/** Bytes of a stream as read: not split into lines, not decoded. Never in a cassette. */
export interface BytesFrame extends Said {
  kind: 'bytes';
  on: OutputStream;
  data: Uint8Array;
  /** HTTP: set for bytes outside of any body, which belong to the connection itself. */
  bare?: true;
}

/** Frame of a channel before decoding. */
export type WireFrame = Frame | BytesFrame;

export function otherSide(side: Side): Side {
  return side === 'client' ? 'server' : 'client';
}
