import type { ExitFrame, Frame, LineFrame, MessageFrame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import type { StreamCounts } from '../../transports/http/client/lost-stream-counts.ts';
import type { HttpFailure } from '../compare/classify-http-failure.ts';

/** The end of a live server or its connection. */
export interface LiveEnd {
  exit?: ExitFrame;
  /** The process survived the end of its input and was killed. */
  killed: boolean;
}

/** Callbacks for a live server's behavior. */
export interface LiveEvents {
  /** Called with a message or another line. */
  receive(frame: MessageFrame | LineFrame): void;
  /** Called with the id (a JSON token) of a request that will stay unanswered. */
  refuse(id: string, refusal: HttpFailure): void;
  /** Called with a notification or an answer of the client that the server refused, over HTTP. */
  refusedMessage?(message: JsonText, refusal: HttpFailure): void;
  /** Called with the id (a JSON token) of a request that a fault has cancelled, and that will stay unanswered. */
  cancelled?(id: string): void;
  /** Called when the server closes its output. */
  closed(): void;
  /** Called when the session cannot go on. */
  stop(why: string): void;
  /** Called if the server could never be reached. */
  failed(error: McpRecordError): void;
  /** Called last, when the server has ended. */
  ended(end: LiveEnd): void;
}

/** A request that opens a stream or ends the session, and that the live server refused with 401 or 403. */
export interface RefusedOpen {
  method: 'GET' | 'DELETE';
  /** Its stream in the cassette. Absent: the cassette does not have it. */
  stream?: number;
  refusal: HttpFailure;
}

/** Starts a session with the server under test. `failed` is called if the server never starts. */
export type StartLiveServer = (options: StartOptions) => Promise<LiveServer>;

export interface StartOptions {
  /** Maximum wait of the connection. */
  patience: Milliseconds;
  /** Clock of the session. Default: that of the system. */
  clock?: Clock;
  failed(error: McpRecordError): void;
}

/** The live server for a recorded client, over any transport. */
export interface LiveServer {
  /** Whether the server is a process with standard streams and an exit status. */
  isProcess: boolean;
  /** Returns whether the server has issued a session id, over HTTP. */
  hasSession?(): boolean;
  /** Ids (JSON tokens) of requests on whose stream an event with an id came before the answer, over HTTP. */
  resumableRequests?: ReadonlySet<string>;
  /** Requests without a message whose token the server has refused so far, over HTTP. */
  refusedOpens?: readonly RefusedOpen[];
  /** Event streams that the server has ended too early so far, over HTTP. */
  streams?: Readonly<StreamCounts>;
  /** Starts the server for the client of `plan`. */
  begin(plan: ReplayPlan, events: LiveEvents): void;
  /** Sends a frame of the client. */
  send(frame: Frame): void;
  /** Ends the client's side. `ended` is called in bounded time, whatever the server does. */
  close(): void;
}
