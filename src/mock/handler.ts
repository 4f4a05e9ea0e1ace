import { fileURLToPath } from 'node:url';
import { type Id, isObject, type Params, type RpcError } from '../protocol/message.ts';
import { checkDefinition } from './check-definition.ts';
import { promptResult, resourceResult, toolFailure, toolResult, wholeResult } from './handler-results.ts';

/** The result of a request, as it goes to the client. */
// biome-ignore lint/suspicious/noExplicitAny: its members are those of a method that the test knows.
export type Result = Record<string, any>;

/** A message of a progress notification (MCP "Progress"). */
export interface ProgressDetails {
  total?: number;
  message?: string;
}

/** What a handler can do while its request is open. */
export interface HandlerContext {
  /** Aborts when the client cancels the request, or the server ends. */
  readonly signal: AbortSignal;
  /** The request that is handled. */
  readonly request: HandledRequest;
  /** Sends progress, if the client has asked for it with a progress token. */
  progress(progress: number, details?: ProgressDetails): void;
  /** Sends a notification; over HTTP on the stream of this request. */
  notify(method: string, params?: Params): void;
  /**
   * Asks the client, and resolves with its result. In 2026-07-28 this is an `input_required` result, which the client answers
   * by a retry of its request.
   * @throws RpcFailure if the client answers with an error
   */
  ask(method: string, params?: Params): Promise<Result>;
  /** `ask('sampling/createMessage', params)`. */
  sample(params: Params): Promise<Result>;
  /** `ask('elicitation/create', params)`. */
  elicit(params: Params): Promise<Result>;
  /**
   * Resolves with the recorded answer to this request.
   * @throws RpcFailure if that is an error, or the cassette has none
   */
  passthrough(): Promise<Result>;
}

export interface HandledRequest {
  id: Id;
  method: string;
  params: Params;
}

/** Answers requests of one method, and perhaps of one name, in place of the recorded server. */
export interface Handler {
  readonly method: string;
  /** Name of the tool or prompt, or URI of the resource. Absent: every request of the method. */
  readonly name?: string;
  /** It answers one request. */
  readonly once: boolean;
  /** Where it was written, as `FILE:LINE`; empty if that is not known. */
  readonly place: string;
  /** Definition in the list of its kind. Absent: it is not listed. */
  readonly definition?: Definition;
  /** Answers a request. What it throws that is an answer, too, is in the result. */
  answer(context: HandlerContext): Promise<unknown>;
  /** The result for an error that it threw. Absent: a JSON-RPC error. */
  readonly failure?: (error: Error) => Result;
  /** The result for a value that it returned; undefined if that is none. */
  readonly result: (value: unknown) => Result | undefined;
}

/** An item of `tools/list`, `prompts/list` or `resources/list`. */
export interface Definition {
  list: 'tools' | 'prompts' | 'resources';
  item: Record<string, unknown>;
}

/** An error that a client receives as a JSON-RPC error, with its code. A handler may throw it. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: number;
  readonly data?: unknown;

  /** @throws TypeError without a numeric code and a message */
  constructor({ code, message, data }: RpcError) {
    if (typeof code !== 'number' || typeof message !== 'string')
      throw new TypeError("An RpcFailure has a code and a message: new RpcFailure({ code: -32050, message: 'busy' }).");
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

export interface HandlerOptions {
  /** It answers one request, and is gone. */
  once?: boolean;
}

export interface ToolOptions extends HandlerOptions {
  title?: string;
  description?: string;
  /** JSON Schema of the arguments. Default: any object. */
  inputSchema?: Record<string, unknown>;
  /** JSON Schema of the structured content. */
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

export interface PromptOptions extends HandlerOptions {
  title?: string;
  description?: string;
  arguments?: readonly { name: string; description?: string; required?: boolean }[];
}

export interface ResourceOptions extends HandlerOptions {
  name?: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

type Awaitable<Value> = Value | Promise<Value>;

// biome-ignore lint/suspicious/noExplicitAny: arguments have the type that the test's own tool gives them.
export type Arguments = Record<string, any>;

/**
 * Handles calls of one tool. The returned value is the answer: a string or number is its text, a list its content blocks, an
 * object with `content`, `structuredContent` or `isError` the whole result, any other object its structured content.
 * A thrown error is a result with `isError`, as servers of the SDK answer.
 */
export function tool<Given extends Arguments = Arguments>(
  name: string,
  handle: (args: Given, context: HandlerContext) => Awaitable<unknown>,
  options: ToolOptions = {},
): Handler {
  checkDefinition('tool', { name, handle, options });
  const { once = false, inputSchema = { type: 'object' }, ...described } = options;
  return {
    method: 'tools/call',
    name,
    once,
    place: callerPlace(),
    definition: { list: 'tools', item: { name, ...described, inputSchema } },
    answer: async (context) => handle(objectAt(context, 'arguments') as Given, context),
    result: toolResult,
    failure: toolFailure,
  };
}

/** Handles reads of one resource. A string is its text, bytes its blob, a list its contents. */
export function resource(
  uri: string,
  handle: (uri: string, context: HandlerContext) => Awaitable<unknown>,
  options: ResourceOptions = {},
): Handler {
  checkDefinition('resource', { name: uri, handle, options });
  const { once = false, name = uri, mimeType, ...described } = options;
  return {
    method: 'resources/read',
    name: uri,
    once,
    place: callerPlace(),
    definition: { list: 'resources', item: { uri, name, ...described, ...(mimeType !== undefined && { mimeType }) } },
    answer: async (context) => handle(uri, context),
    result: (value) => resourceResult(uri, mimeType, value),
  };
}

/** Handles one prompt. A string is the text of one message of the user, a list its messages. */
export function prompt<Given extends Arguments = Arguments>(
  name: string,
  handle: (args: Given, context: HandlerContext) => Awaitable<unknown>,
  options: PromptOptions = {},
): Handler {
  checkDefinition('prompt', { name, handle, options });
  const { once = false, ...described } = options;
  return {
    method: 'prompts/get',
    name,
    once,
    place: callerPlace(),
    definition: { list: 'prompts', item: { name, ...described } },
    answer: async (context) => handle(objectAt(context, 'arguments') as Given, context),
    result: promptResult,
  };
}

/** Handles every request of a method, of MCP or of an extension. The returned object is the result. */
export function request(
  method: string,
  handle: (request: HandledRequest, context: HandlerContext) => Awaitable<unknown>,
  options: HandlerOptions = {},
): Handler {
  checkDefinition('request', { name: method, handle, options });
  const { once = false } = options;
  return {
    method,
    once,
    place: callerPlace(),
    answer: async (context) => handle(context.request, context),
    result: wholeResult,
  };
}

function objectAt({ request }: HandlerContext, name: string): Params {
  const value = request.params[name];
  return isObject(value) ? value : {};
}

/** Files of this package are no place of a test. */
const OWN = fileURLToPath(new URL('.', import.meta.url));

/** Where the function that calls one of this file's functions stands, as `FILE:LINE`. */
function callerPlace(): string {
  const [, ...frames] = new Error().stack?.split('\n') ?? [];
  const caller = frames.find((frame) => !frame.includes(OWN) && !frame.includes('node:internal'));
  return /(?:file:\/\/)?(\/[^()\s][^()]*?:\d+):\d+\)?$/.exec(caller ?? '')?.[1] ?? '';
}
