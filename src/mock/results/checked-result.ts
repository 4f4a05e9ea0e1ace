import { inspect } from 'node:util';
import { isObject, type Params, type Request } from '../../protocol/message.ts';
import type { Handler, Result } from '../handler.ts';
import { jsonProblem } from './json-problem.ts';

export interface ReturnedValue {
  handler: Handler;
  request: Request;
  /** The request is of 2026-07-28 or later. */
  modern: boolean;
  /** What the handler returned. */
  value: unknown;
  /** Says what is wrong with the result of a request, whoever made it. */
  resultProblem?: ((request: Request, result: Params) => string | undefined) | undefined;
}

/** The result of a request, or a clause that says what its handler returned instead. */
export type CheckedResult = { result: Result; problem?: undefined } | { result?: undefined; problem: string };

/** Returns the result for a value that a handler returned, or what keeps the value from being one. */
export async function checkedResult(returned: ReturnedValue): Promise<CheckedResult> {
  const { handler, request, modern, value, resultProblem } = returned;
  const isData = Array.isArray(value) || (isObject(value) && !(value instanceof Uint8Array));
  const unwritable = isData ? jsonProblem(value) : undefined;
  const result = unwritable === undefined ? handler.result(value) : undefined;
  if (result === undefined) return noResult(value, unwritable);
  const problem = (await handler.problem?.({ value, result, modern })) ?? resultProblem?.(request, result);
  return problem === undefined ? { result } : noResult(value, problem);
}

function noResult(value: unknown, why: string | undefined): CheckedResult {
  return { problem: `returned ${shown(value)}, which is no result${why === undefined ? '' : `: ${why}`}` };
}

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (jsonProblem(value) === undefined) return JSON.stringify(value);
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}
