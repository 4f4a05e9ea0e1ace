import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Params, Request } from '../../protocol/message.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { HandlerList } from '../handler-list.ts';
import type { RequestIds } from '../own-requests.ts';
import type { DefaultAnswers } from './server-fallback-answers.ts';

export interface HandlerSessionOptions {
  handlers: HandlerList;
  /** Default answers for requests without a handler. Absent: the cassette answers them. */
  defaults?: DefaultAnswers | undefined;
  clock: Clock;
  /** Time between a handler's progress and its answer. Absent: none. */
  progressGap?: Milliseconds | undefined;
  /** The side that handlers ask. Default: `client`. */
  peer?: 'client' | 'server';
  /** Type of the ids of own requests. Default: numbers, or strings if a cassette has requests with recorded ids. */
  requestIds?: RequestIds | undefined;
  /** Sends a message to the client. HTTP: on the exchange `stream`, or on the listening stream if undefined. */
  send(json: JsonText, stream: number | undefined): void;
  /** Passes a message to the recorded server. */
  forward(json: JsonText, stream: number | undefined): void;
  report(finding: Finding): void;
  /** Checks each result in addition to the handler's own check. Returns the problem, if any. */
  resultProblem?(request: Request, result: Params): string | undefined;
}
