import type { Milliseconds } from '../kernel/clock.ts';
import type { JsonText } from '../protocol/json-text.ts';

/** Who said it. */
export type Side = 'client' | 'server';

interface Said {
  /** When it passed, since the session's first frame. */
  at: Milliseconds;
  from: Side;
  /** HTTP: the exchange that carried it, counted from 1 within a session. Absent on stdio. */
  stream?: number;
}

/** HTTP header fields by lower-case name. */
export type Headers = Record<string, string>;

/** The fields of a server-sent event beside its data (HTML "Server-sent events"). */
export interface SseFields {
  id?: string;
  /** Absent: `message`. */
  event?: string;
  /** Text where it has more digits than a number can hold. */
  retry?: Milliseconds | string;
}

/** How HTTP carried a line or message. Ordinary values are absent. */
interface Carried {
  /** Present if a server-sent event carried it, absent if the response body did. */
  sse?: SseFields;
  /** Status of a response whose body this is. */
  status?: number;
  headers?: Headers;
  /** The server issued a session id with it. The id itself is never kept. */
  session?: 'new';
}

/** One JSON-RPC message, or a batch of them: any JSON object or array that crossed the wire. */
export interface MessageFrame extends Said, Carried {
  kind: 'message';
  json: JsonText;
}

/** The message `json` as `carrier` was carried, said at `at` in the exchange `stream`. */
export function messageFrame(
  json: JsonText,
  carrier: MessageFrame | LineFrame,
  at: Milliseconds,
  stream: number | undefined,
): MessageFrame {
  const { from, sse, status, headers, session } = carrier;
  const frame: MessageFrame = { kind: 'message', at, from, json };
  // Assigned one by one: an object spread costs more than the rest of this function.
  if (stream !== undefined) frame.stream = stream;
  if (sse !== undefined) frame.sse = sse;
  if (status !== undefined) frame.status = status;
  if (headers !== undefined) frame.headers = headers;
  if (session !== undefined) frame.session = session;
  return frame;
}

/**
 * What crossed the wire and is no message: a line of standard error, or a line of the protocol's own stream that
 * is not a JSON object or array. Bytes where it is not UTF-8, or too long to be held in memory.
 */
export interface LineFrame extends Said, Carried {
  kind: 'line';
  on: 'protocol' | 'stderr';
  data: string | Uint8Array;
  /** The stream ended before this line did. */
  partial?: true;
}

/** A side stopped sending. On stdio: end of file. */
export interface CloseFrame extends Said {
  kind: 'close';
  /** HTTP: a clean end (absent), the connection gone, or reset. */
  how?: 'end' | 'fin' | 'rst';
}

/** HTTP: the client began an exchange that carries no message of its own: a stream to listen on, the end of a session. */
export interface OpenFrame extends Said {
  kind: 'open';
  from: 'client';
  method: string;
  /** Where it differs from the server's URL. */
  path?: string;
  headers?: Headers;
  /** The event after which the client wants to be served on (`Last-Event-ID`). */
  resumes?: string;
  body?: string | Uint8Array;
}

/** HTTP: the server answered an exchange with a status and no message, or opened an event stream. */
export interface ResponseFrame extends Said {
  kind: 'http-response';
  from: 'server';
  status: number | 'sse';
  headers?: Headers;
  session?: 'new';
  body?: string | Uint8Array;
}

/** HTTP: a server-sent event without a message, such as the priming event of 2025-11-25. */
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

/** A frame: the same value on the wire and in the cassette. */
export type Frame =
  | MessageFrame
  | LineFrame
  | CloseFrame
  | SignalFrame
  | ExitFrame
  | OpenFrame
  | ResponseFrame
  | SseFrame
  | CommentFrame;

/** Which of a process's two outgoing streams. A client has only the first. */
export type OutputStream = LineFrame['on'];

/** A piece of a stream exactly as it was read: not cut at lines, not decoded. Never in a cassette. */
export interface BytesFrame extends Said {
  kind: 'bytes';
  on: OutputStream;
  data: Uint8Array;
  /** HTTP: they are the connection's own, beside every body. */
  bare?: true;
}

/** What a channel carries before anybody decodes it. */
export type WireFrame = Frame | BytesFrame;

export function otherSide(side: Side): Side {
  return side === 'client' ? 'server' : 'client';
}
