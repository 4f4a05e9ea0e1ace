import { inspect } from 'node:util';
import { isAwaitable, isBytes } from '../../kernel/platform/other-realms.ts';
import { isObject, type Params, type Request } from '../../protocol/message.ts';
import type { Handler, Result } from '../handler.ts';
import type { ValueCheck } from '../tool-schema.ts';
import { jsonProblem } from './json-problem.ts';

export interface ReturnedValue {
  handler: Handler;
  request: Request;
  /** Whether the request states revision 2026-07-28 or later. */
  modern: boolean;
  /** Value returned by the handler. */
  value: unknown;
  /** Check of structured content. */
  checkOutput?: ValueCheck | undefined;
  /** Checks the result in addition to the handler's own check. Returns the problem, if any. */
  resultProblem?: ((request: Request, result: Params) => string | undefined) | undefined;
}

/** Valid result, or the problem of the returned value, as a clause. */
export type CheckedResult = { result: Result; problem?: undefined } | { result?: undefined; problem: string };

/**
 * Converts a handler's return value to a result, or returns the problem of the value. Returns a promise only if a check
 * does.
 */
export function convertHandlerResult(returned: ReturnedValue): CheckedResult | Promise<CheckedResult> {
  const { handler, request, modern, value, checkOutput, resultProblem } = returned;
  const isData = Array.isArray(value) || (isObject(value) && !isBytes(value));
  const unwritable = isData ? jsonProblem(value) : undefined;
  const result = unwritable === undefined ? handler.result(value) : undefined;
  if (result === undefined) return noResult(value, unwritable ?? `return ${handler.returns ?? 'an object'}`);
  const concluded = (own: string | undefined): CheckedResult => {
    const problem = own ?? resultProblem?.(request, result);
    return problem === undefined ? { result } : noResult(value, problem);
  };
  const problem = handler.problem?.({ value, result, modern, checkOutput });
  return isAwaitable(problem) ? problem.then(concluded) : concluded(problem);
}

function noResult(value: unknown, why: string): CheckedResult {
  return { problem: `returned ${shown(value)}, which is no result: ${why}` };
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (jsonProblem(value) === undefined) return JSON.stringify(value);
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}
