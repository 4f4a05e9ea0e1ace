import type { Id, Params, RpcError } from '../protocol/message.ts';
import { callerPlace } from './caller-place.ts';
import {
  promptResult,
  RETURNS,
  requestReturns,
  resourceResult,
  toolFailure,
  toolResult,
  wholeResult,
} from './handler-value-to-result.ts';
import { type MadeResult, promptResultProblem, resourceResultProblem } from './results/result-problem.ts';
import { toolResultProblemOf } from './results/tool-result-check.ts';
import type { AskOptions } from './server/ask-timeout.ts';
import { type ArgumentsOf, jsonSchemaOf, type ToolSchema, type ValueCheck, valueCheck } from './tool-schema.ts';
import { validateHandler } from './validate-handler.ts';

/** Result of a request, as sent to the client. */
// biome-ignore lint/suspicious/noExplicitAny: its members are those of a method that the test knows.
export type Result = Record<string, any>;

/** Optional members of a progress notification (MCP "Progress"). */
export interface ProgressDetails {
  total?: number;
  message?: string;
}

/** Operations available to a handler while its request is open. */
export interface HandlerContext {
  /** Aborts when the client cancels the request, or the server ends. */
  readonly signal: AbortSignal;
  /** The handled request. */
  readonly request: HandledRequest;
  /** Sends progress, if the client sent a progress token. */
  progress(progress: number, details?: ProgressDetails): void;
  /** Sends a notification; over HTTP on the stream of this request. */
  notify(method: string, params?: Params): void;
  /**
   * Sends a request to the client and resolves with its result. In 2026-07-28 the request is an `input_required`
   * result, which the client answers by a retry.
   * @throws RpcFailure if the client answers with an error; McpRecordError MOCK_NO_ANSWER after the timeout
   */
  ask(method: string, params?: Params, options?: AskOptions): Promise<Result>;
  /** Sends `sampling/createMessage`, as `ask` does. */
  sample(params: Params, options?: AskOptions): Promise<Result>;
  /** Sends `elicitation/create`, as `ask` does. */
  elicit(params: Params, options?: AskOptions): Promise<Result>;
  /**
   * Resolves with the recorded answer to this request.
   * @throws RpcFailure if the answer is an error or missing
   */
  passthrough(): Promise<Result>;
}

export interface HandledRequest {
  id: Id;
  method: string;
  params: Params;
}

/** Answers requests of one method, optionally of one name, in place of the recorded server. */
export interface Handler {
  readonly method: string;
  /** Name of the tool or prompt, or URI of the resource. Absent: the handler answers every request of the method. */
  readonly name?: string;
  /** Whether the handler answers one request only. Such a handler comes before handlers of its list without `once`. */
  readonly once: boolean;
  /** Maximum number of answered requests. Absent: unlimited. */
  readonly times?: number;
  /** Reports whether the handler matches these params. Absent: the handler matches all params. */
  readonly accepts?: (params: Params) => boolean;
  /** Description of the condition in `accepts`, for messages. */
  readonly condition?: string;
  /** Whether the handler makes requests fail that others answer. Messages do not list it among the answers. */
  readonly isFault?: boolean;
  /** Kind of the finding if no request reaches the handler of a test. Null: no finding. Default: `uncalled`. */
  readonly ifUncalled?: 'uncalled' | 'unfired' | null;
  /** Place of the definition, as `FILE:LINE`, or empty if unknown. */
  readonly place: string;
  /** Place of the schema or argument list used by `checkArguments`. Absent: `place`. */
  readonly argumentsPlace?: string;
  /** Definition in the list of its kind. Absent: no list contains the handler. */
  readonly definition?: Definition;
  /**
   * Checks the arguments of a request before `answer` receives them. Absent: the check of the overridden handler
   * applies.
   */
  readonly checkArguments?: ValueCheck;
  /** Checks structured content. Absent: the check of the overridden handler applies. */
  readonly checkOutput?: ValueCheck;
  /** Answers a request with valid arguments. Errors thrown here are converted by `failure`. */
  answer(context: HandlerContext, args: Params): Awaitable<unknown>;
  /** Converts a thrown error to a result. Absent: a JSON-RPC error is sent. */
  readonly failure?: (error: Error) => Result;
  /** Converts a returned value to a result, or returns `undefined` for an invalid value. */
  readonly result: (value: unknown) => Result | undefined;
  /** Values that `answer` may return, for messages. Absent: an object. */
  readonly returns?: string;
  /** Returns the problem of a result, as a clause. Undefined if the result is valid. Absent: every result is valid. */
  readonly problem?: (made: MadeResult) => Awaitable<string | undefined>;
}

/** An item of `tools/list`, `prompts/list` or `resources/list`. */
export interface Definition {
  list: 'tools' | 'prompts' | 'resources';
  /** Members given by the handler. Missing members are taken from the handler that this one overrides. */
  item: Record<string, unknown>;
  /** Required members, for a handler that overrides nothing. */
  defaults?: Record<string, unknown>;
}

/** An error that a client receives as a JSON-RPC error, with its code. A handler may throw it. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: number;
  readonly data?: unknown;

  /** Creates the error. @throws TypeError without a numeric code and a message */
  constructor({ code, message, data }: RpcError) {
    if (typeof code !== 'number' || typeof message !== 'string')
      throw new TypeError("An RpcFailure has a code and a message: new RpcFailure({ code: -32050, message: 'busy' }).");
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

export interface HandlerOptions {
  /** Answers one request only. */
  once?: boolean;
}

/** Options of handlers that define a list item. */
export interface ListedOptions extends HandlerOptions {
  title?: string;
  description?: string;
  icons?: readonly Record<string, unknown>[];
  _meta?: Record<string, unknown>;
}

export interface ToolOptions extends ListedOptions {
  /**
   * Schema that arguments are validated with: a JSON Schema of 2020-12 (or of the draft in its `$schema`), or a schema
   * of a library such as zod. Default: any object.
   */
  inputSchema?: ToolSchema;
  /** Schema of the structured content. With it, every result except an error must have structured content. */
  outputSchema?: ToolSchema;
  annotations?: Record<string, unknown>;
  /** Execution options in the tool's definition: `{ taskSupport: 'optional' }`. */
  execution?: Record<string, unknown>;
}

export interface PromptOptions extends ListedOptions {
  arguments?: readonly { name: string; description?: string; required?: boolean }[];
}

export interface ResourceOptions extends ListedOptions {
  name?: string;
  mimeType?: string;
  /** In bytes. */
  size?: number;
  annotations?: Record<string, unknown>;
}

/** A value, or a promise of it. */
export type Awaitable<Value> = Value | Promise<Value>;

// biome-ignore lint/suspicious/noExplicitAny: arguments have the type that the test's own tool gives them.
export type Arguments = Record<string, any>;

/**
 * Handles calls of one tool. The returned value is the answer: a string or number becomes its text, a list its content
 * blocks, an object with `content`, `structuredContent` or `isError` the whole result, any other object its structured
 * content. A thrown error becomes a result with `isError`, as in SDK servers. The arguments have the type described by
 * `inputSchema`.
 */
export function tool<const Schema extends ToolSchema>(
  name: string,
  handle: (args: ArgumentsOf<Schema>, context: HandlerContext) => Awaitable<unknown>,
  options: ToolOptions & { inputSchema: Schema },
): Handler;
export function tool<Given extends Arguments = Arguments>(
  name: string,
  handle: (args: Given, context: HandlerContext) => Awaitable<unknown>,
  options?: ToolOptions,
): Handler;
export function tool(
  name: string,
  handle: (args: Arguments, context: HandlerContext) => Awaitable<unknown>,
  options: ToolOptions = {},
): Handler {
  validateHandler('tool', { name, handle, options });
  const { once = false, inputSchema, outputSchema, ...described } = options;
  const schemas = {
    ...(inputSchema && { inputSchema: jsonSchemaOf(inputSchema, 'input') }),
    ...(outputSchema && { outputSchema: jsonSchemaOf(outputSchema, 'output') }),
  };
  return {
    method: 'tools/call',
    name,
    once,
    place: callerPlace(),
    definition: {
      list: 'tools',
      item: { name, ...described, ...schemas },
      defaults: { inputSchema: { type: 'object' } },
    },
    ...(inputSchema && { checkArguments: valueCheck(inputSchema, 'inputSchema') }),
    answer: (context, args) => handle(args, context),
    result: toolResult,
    returns: RETURNS.tool,
    ...(outputSchema && { checkOutput: valueCheck(outputSchema, 'outputSchema') }),
    problem: toolResultProblemOf,
    failure: toolFailure,
  };
}

/** Handles reads of one resource. A returned string becomes its text, bytes its blob, a list its contents. */
export function resource(
  uri: string,
  handle: (uri: string, context: HandlerContext) => Awaitable<unknown>,
  options: ResourceOptions = {},
): Handler {
  validateHandler('resource', { name: uri, handle, options });
  const { once = false, ...described } = options;
  return {
    method: 'resources/read',
    name: uri,
    once,
    place: callerPlace(),
    definition: { list: 'resources', item: { uri, ...described }, defaults: { name: uri } },
    answer: (context) => handle(uri, context),
    result: (value) => resourceResult(uri, options.mimeType, value),
    returns: RETURNS.resource,
    problem: ({ result }) => resourceResultProblem(result),
  };
}

/** Handles one prompt. A returned string becomes the text of one user message, a list the messages. */
export function prompt<Given extends Arguments = Arguments>(
  name: string,
  handle: (args: Given, context: HandlerContext) => Awaitable<unknown>,
  options: PromptOptions = {},
): Handler {
  validateHandler('prompt', { name, handle, options });
  const { once = false, ...described } = options;
  const { arguments: listed } = options;
  return {
    method: 'prompts/get',
    name,
    once,
    place: callerPlace(),
    definition: { list: 'prompts', item: { name, ...described } },
    ...(listed && { checkArguments: requiredCheck(listed) }),
    answer: (context, args) => handle(args as Given, context),
    result: promptResult,
    returns: RETURNS.prompt,
    problem: ({ result }) => promptResultProblem(result),
  };
}

/** Handles every request of a method, of MCP or of an extension. The returned object is the result. */
export function request(
  method: string,
  handle: (request: HandledRequest, context: HandlerContext) => Awaitable<unknown>,
  options: HandlerOptions = {},
): Handler {
  validateHandler('request', { name: method, handle, options });
  const { once = false } = options;
  return {
    method,
    once,
    place: callerPlace(),
    answer: (context) => handle(context.request, context),
    result: wholeResult,
    returns: requestReturns(method),
  };
}

/** Returns a function that looks for the required arguments of a prompt. */
function requiredCheck(listed: NonNullable<PromptOptions['arguments']>): ValueCheck {
  return (args) => {
    const missing = listed.find(({ name, required }) => required && (args as Params)[name] === undefined);
    return missing === undefined ? { value: args } : { problem: `${missing.name} is required` };
  };
}
