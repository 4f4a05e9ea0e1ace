import type { ExitFrame, Frame, LineFrame, MessageFrame } from '../../channel/frame.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import type { HttpFailure } from '../compare/http-failure.ts';

/** How a live server, or its connection, ended. */
export interface LiveEnd {
  exit?: ExitFrame;
  /** The process survived the end of its input and was killed. */
  killed: boolean;
}

/** What a live server does. */
export interface LiveEvents {
  /** Called with a message or another line. */
  hear(frame: MessageFrame | LineFrame): void;
  /** It lets the request with this id, a JSON token, go unanswered, and will not answer it later. */
  refuse(id: string, refusal: HttpFailure): void;
  /** It says nothing more. */
  closed(): void;
  /** Called when the session cannot go on. */
  stop(why: string): void;
  /** It was never there. */
  failed(error: McpRecordError): void;
  /** The last that is told. */
  ended(end: LiveEnd): void;
}

/** The server that a recorded client is played to, however it is reached. */
export interface LiveServer {
  /** Whether the server is a process with standard streams and an exit status. */
  isProcess: boolean;
  /** Begins, for the client of `plan`. */
  begin(plan: ReplayPlan, events: LiveEvents): void;
  /** Says what the client says. */
  say(frame: Frame): void;
  /** The client has ended. Whatever the server does, `ended` is told in time. */
  close(): void;
}
