import type { JsonText } from '../protocol/json-text.ts';
import {
  errorOf,
  type Params,
  paramsOf,
  type Request,
  type Response,
  type RpcError,
  resultOf,
} from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { identityParams, subjectOf } from '../protocol/method-table.ts';
import { isModern } from '../protocol/revisions.ts';
import type { ResultOrError } from '../replay/match/protocol-generation.ts';
import { type Handler, type Result, RpcFailure } from './handler.ts';

const INTERNAL_ERROR = -32603;

/** A request in progress at a handler. */
export class OpenCall {
  readonly handler: Handler;
  readonly request: Request;
  readonly json: JsonText;
  /** Whether the request states revision 2026-07-28 or later. */
  readonly isModern: boolean;
  /** Created for handlers that read its signal. */
  #controller: AbortController | undefined;
  /** Requests to the client in an `input_required` result. The client's retry has the responses. */
  questions: readonly EmbeddedRequest[] = [];
  /** Id of the request, or of its latest retry, as a JSON token. */
  id: string;
  stream: number | undefined;
  /** Methods of the handler's requests to the peer that have no answer yet. */
  asking: readonly string[] = [];
  /** Answer of a handler that stopped waiting for the client's retry. It is sent as the response to the retry. */
  lateReply: ResultOrError | undefined;
  isOver = false;
  /** Whether the handler has sent progress. */
  hasProgress = false;
  isCancelled = false;
  /** Whether the request was passed to the cassette. */
  isPassed = false;
  /** Whether the call's arguments were refused, so that the handler did not run. */
  isRefused = false;

  constructor(handler: Handler, request: Request, json: JsonText, id: string, stream: number | undefined) {
    this.handler = handler;
    this.request = request;
    this.json = json;
    this.isModern = isModernRequest(request);
    this.id = id;
    this.stream = stream;
  }

  get key(): string {
    return keyOf(this.id, this.stream);
  }

  /** Aborts when the call is cancelled. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isCancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Marks the call as cancelled, and aborts its signal. */
  cancel(): void {
    this.isOver = true;
    this.isCancelled = true;
    this.#controller?.abort();
  }

  /** The handler and its request, for messages. */
  get title(): string {
    const { method, params } = this.request;
    const { place } = this.handler;
    return `The handler of ${subjectOf(method, params)}${place === '' ? '' : ` (${place})`}`;
  }
}

/** A request in an `input_required` result, by its key there (2026-07-28, "Multi round-trip requests"). */
export interface EmbeddedRequest extends Waiting {
  key: string;
  method: string;
  params: Params | undefined;
}

/** Callbacks of a pending response. */
export interface Waiting {
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** Reports whether a request repeats a call with `inputResponses` added (2026-07-28, "Multi round-trip requests"). */
export function isRetryOf(retry: Request, call: Request): boolean {
  return askedBy(retry) === askedBy(call);
}

function askedBy({ method, params }: Request): string {
  const { inputResponses, requestState, ...asked } = identityParams(method, params);
  return `${method} ${JSON.stringify(asked)}`;
}

/** Settles the pending request of a response. Returns whether the request was pending. */
export function settle(waiting: Map<string, Waiting>, key: string | undefined, response: Response): boolean {
  const one = waiting.get(key ?? '');
  if (one === undefined) return false;
  waiting.delete(key!);
  const error = errorOf(response);
  if (error === undefined) one.resolve(resultOf(response));
  else one.reject(failureOf(error));
  return true;
}

/** Converts a response's error to a throwable error. */
export function failureOf({ code, message, data }: Partial<Record<keyof RpcError, unknown>>): RpcFailure {
  return new RpcFailure({ code: typeof code === 'number' ? code : INTERNAL_ERROR, message: String(message), data });
}

/** Returns the key of an open request. */
export function keyOf(id: string, stream: number | undefined): string {
  return stream === undefined ? id : `${stream} ${id}`;
}

/** Reports whether a request states revision 2026-07-28 or later. */
export function isModernRequest(request: Request): boolean {
  const claimed = metaOf(paramsOf(request))[META.protocolVersion];
  return typeof claimed === 'string' && isModern(claimed);
}
