import type { Cassette, CassetteEvent, EventMatch, Header } from '../cassette/cassette.ts';
import { FORMAT } from '../cassette/cassette.ts';
import type { Side } from '../channel/frame.ts';
import { isError, McpRecordError } from '../kernel/errors.ts';
import { expressionIn, expressionProblem } from '../kernel/linear-regex.ts';
import { isRegExp } from '../kernel/platform/other-realms.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isObject, type Params, type RpcError } from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { type MethodKind, methodProblem } from '../protocol/method-problem.ts';
import { subjectOf } from '../protocol/method-table.ts';
import { isModern, REVISIONS, type Revision } from '../protocol/revisions.ts';
import { callerPlace } from './caller-place.ts';
import { RpcFailure } from './handler.ts';
import {
  isPlain,
  promptResult,
  resourceResult,
  toolFailure,
  toolResult,
  wholeResult,
} from './handler-value-to-result.ts';
import { jsonProblem } from './results/json-problem.ts';

export interface CassetteOptions {
  /** Protocol revision of the messages. Default: the revision of the replaying client, up to 2025-11-25. */
  protocolVersion?: Revision;
}

/** Adds answers to the request last given to a {@link CassetteBuilder}. */
export interface CassetteAnswers {
  /**
   * Answers each matching request with the next value. Values have the form of a handler's return values.
   * @throws McpRecordError HANDLER_INVALID
   */
  returns(...values: readonly [unknown, ...unknown[]]): CassetteBuilder;
  /** Answers one matching request with an error: a tool execution error (an `Error`) or a JSON-RPC error. */
  fails(error: Error | RpcError): CassetteBuilder;
}

/**
 * Starts a cassette written in a test: `cassette().calls('add', { a: 1, b: 2 }).returns('3')`. Requests and answers are
 * recorded in the order of the calls.
 * @throws McpRecordError HANDLER_INVALID
 */
export function cassette(options: CassetteOptions = {}): CassetteBuilder {
  return new CassetteBuilder(options);
}

/**
 * A cassette under construction, usable wherever a cassette is. A session that has started does not see entries added
 * later.
 */
export class CassetteBuilder implements Cassette {
  readonly #file: string;
  readonly header: Header = { format: FORMAT, transport: 'stdio' };
  readonly #events: CassetteEvent[] = [];
  /** Last described request, if its answer is missing. */
  #unanswered: string | undefined;
  readonly warnings: string[] = [];
  readonly #meta: Params;
  #id = 0;

  constructor({ protocolVersion }: CassetteOptions = {}) {
    if (protocolVersion !== undefined && !REVISIONS.includes(protocolVersion))
      throw invalid(
        `cassette({ protocolVersion: ${JSON.stringify(protocolVersion)} })`,
        `the revisions are ${REVISIONS.join(', ')}`,
      );
    const place = callerPlace();
    this.#file = place.slice(0, place.lastIndexOf(':')) || 'cassette()';
    const hasMeta = protocolVersion !== undefined && isModern(protocolVersion);
    this.#meta = hasMeta ? { [META.protocolVersion]: protocolVersion } : {};
  }

  /** @throws McpRecordError HANDLER_INVALID if the last described request has no answer */
  get file(): string {
    this.#checkAnswered();
    return this.#file;
  }

  /** @throws McpRecordError HANDLER_INVALID if the last described request has no answer */
  get events(): CassetteEvent[] {
    this.#checkAnswered();
    return this.#events;
  }

  /**
   * Adds calls of a tool with these arguments. Without `args`, the arguments are not compared. A regular expression
   * stands for every text that matches it; additional arguments are then ignored.
   */
  calls(tool: string, args?: Params): CassetteAnswers {
    if (typeof tool !== 'string' || tool === '')
      throw invalid(`calls(${JSON.stringify(tool)})`, 'the name of the tool is no text');
    const match = matchOf(tool, args);
    return this.#answers('tools/call', { name: tool, arguments: recordedValue(args ?? {}) as Params }, match);
  }

  /** Adds requests of any method. */
  requests(method: string, params: Params = {}): CassetteAnswers {
    checkMethod('requests', method, 'request');
    return this.#answers(method, params);
  }

  /** Adds a server notification, sent after the preceding answer. @throws McpRecordError HANDLER_INVALID */
  notifies(method: string, params?: Params): this {
    this.#checkAnswered();
    checkMethod('notifies', method, 'notification');
    this.#add('server', { method, ...(params && { params }) });
    return this;
  }

  #answers(method: string, params: Params, match?: EventMatch): CassetteAnswers {
    this.#checkAnswered();
    const told = `${subjectOf(method, params)} (${callerPlace()})`;
    this.#unanswered = told;
    const answer = (outcome: object): void => {
      const id = ++this.#id;
      this.#add('client', { id, method, params: this.#withMeta(params) }, match);
      this.#add('server', { id, ...outcome });
    };
    const answers: CassetteAnswers = {
      returns: (...values) => {
        if (values.length === 0) throw unanswered(told);
        this.#unanswered = undefined;
        for (const value of values) answer({ result: this.#result(method, params, value) });
        return this;
      },
      fails: (error) => {
        const failure = failureOf(method, error);
        this.#unanswered = undefined;
        answer('result' in failure ? { result: this.#complete(failure.result) } : failure);
        return this;
      },
    };
    // Every user of a cassette reads these members. A description without an answer then fails with the reason.
    const get = () => {
      throw unanswered(told);
    };
    return Object.defineProperties(answers, { file: { get }, events: { get } });
  }

  #checkAnswered(): void {
    if (this.#unanswered !== undefined) throw unanswered(this.#unanswered);
  }

  #withMeta(params: Params): Params {
    const _meta = { ...this.#meta, ...metaOf(params) };
    return Object.keys(_meta).length === 0 ? params : { ...params, _meta };
  }

  #result(method: string, params: Params, value: unknown): Params {
    const result = resultOf(method, params, value);
    if (result === undefined) throw invalid('returns(…)', `${String(value)} is no answer to ${method}`);
    return this.#complete(result);
  }

  /** Adds the `resultType` that every result of 2026-07-28 has (2026-07-28, "Result types"). */
  #complete(result: Params): Params {
    return Object.keys(this.#meta).length === 0 ? result : { resultType: 'complete', ...result };
  }

  #add(from: Side, message: object, match?: EventMatch): void {
    const json = new JsonText(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const line = Number(callerPlace().split(':').at(-1)) || 0;
    this.#events.push({ frame: { kind: 'message', at: 0, from, json }, line, ...(match && { match }) });
  }
}

/** @throws McpRecordError HANDLER_INVALID */
function checkMethod(name: string, method: unknown, kind: MethodKind): void {
  const problem = methodProblem(method, kind);
  if (problem)
    throw invalid(`${name}(${JSON.stringify(method)})`, `${problem.why}. ${problem.next.replace(/[.]$/, '')}`);
}

function resultOf(method: string, params: Params, value: unknown): Params | undefined {
  switch (method) {
    case 'tools/call':
      return toolResult(value);
    case 'resources/read':
      return resourceResult(String(params.uri), undefined, value);
    case 'prompts/get':
      return promptResult(value);
    default:
      return wholeResult(value);
  }
}

function failureOf(method: string, error: Error | RpcError): { result: Params } | { error: RpcError } {
  const { code, data } = (error ?? {}) as RpcError;
  if (isError(error) && !(error instanceof RpcFailure)) {
    if (method === 'tools/call') return { result: toolFailure(error) };
  } else if (Number.isInteger(code) && typeof error.message === 'string')
    return { error: { code, message: error.message, ...(data !== undefined && { data }) } };
  throw invalid('fails(…)', `an error of ${method} has a code and a message`);
}

function matchOf(tool: string, args: Params | undefined): EventMatch | undefined {
  if (args === undefined) return { arguments: 'any' };
  const what = `calls(${JSON.stringify(tool)}, …)`;
  if (!isObject(args)) throw invalid(what, 'its arguments are no object');
  if (hasMatcher(args))
    throw invalid(
      what,
      'a cassette has no asymmetric matchers: write a regular expression, or leave the arguments out',
    );
  const problem = jsonProblem(recordedValue(args) as Params);
  if (problem !== undefined) throw invalid(what, `of its arguments, ${problem}`);
  if (!hasExpression(args)) return undefined;
  const pattern = patternOf(args) as Params;
  checkExpressions(pattern);
  return { arguments: pattern };
}

/**
 * Reports whether a value contains asymmetric matchers of vitest or Jest. They are functions, which a cassette cannot
 * hold.
 */
function hasMatcher(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'asymmetricMatch' in value || Object.values(value).some(hasMatcher);
}

function hasExpression(value: unknown): boolean {
  if (isRegExp(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

/** Checks the regular expressions of a pattern. @throws McpRecordError HANDLER_INVALID */
function checkExpressions(pattern: unknown): void {
  const problem = expressionProblem(pattern, []);
  if (problem) throw invalid('calls(…)', problem.why);
}

/** Returns arguments as a pattern: see `compilePattern`. */
function patternOf(value: unknown): unknown {
  if (isRegExp(value)) return written(value);
  // Escapes a text that looks like an expression.
  if (typeof value === 'string' && value.startsWith('/')) return `/^${escaped(value)}$/`;
  if (Array.isArray(value)) return value.map(patternOf);
  return isPlain(value) ? mapped(value, patternOf) : value;
}

function written(expression: RegExp): string {
  const text = String(expression);
  if (expressionIn(text) === undefined)
    throw invalid(`calls(…, ${text})`, 'a regular expression may have the flags i, m and s only');
  return text;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Returns arguments as recorded in the request: a regular expression becomes its source text. */
function recordedValue(value: unknown): unknown {
  if (isRegExp(value)) return value.source;
  if (Array.isArray(value)) return value.map(recordedValue);
  return isPlain(value) ? mapped(value, recordedValue) : value;
}

function mapped(value: Params, map: (one: unknown) => unknown): Params {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]));
}

function unanswered(told: string): McpRecordError {
  return invalid(
    `a request that has no answer: ${told}`,
    'add .returns(…) or .fails(…), which say what the server answers',
  );
}

function invalid(what: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'HANDLER_INVALID',
    what: `Cannot make a cassette with ${what}`,
    why,
    next: "Write cassette().calls('add', { a: 1, b: 2 }).returns('3'): see docs/mock.md.",
  });
}
