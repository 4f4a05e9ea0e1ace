import { messageOf } from '../../kernel/errors.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { expressionsIn } from '../file/response-template.ts';
import type { Handler } from '../handler.ts';

/** Members whose values are strings. A template in them always gives a valid value. */
const TEXTS: ReadonlySet<string | number | undefined> = new Set(['text', 'data', 'blob', 'uri', 'mimeType', 'name']);

/**
 * Returns the problem of a written value that its handler cannot convert to a valid result, as a clause. Undefined: the
 * value is valid, or its templates decide that later.
 */
export function writtenResultProblem(
  { result, problem, definition, checkOutput }: Handler,
  returns: unknown,
): string | undefined {
  const templates = [...leavesOf(returns, [])].filter(({ value }) => expressionsIn(value).length > 0);
  const isOpen = templates.some(({ path }) => path.length > 0 && !TEXTS.has(path.at(-1)));
  if (isOpen || (templates.length > 0 && definition?.item.outputSchema !== undefined)) return undefined;
  try {
    const made = result(returns);
    if (made === undefined) return 'its handler takes no such value';
    const wrong = problem?.({ value: returns, result: made, modern: true, checkOutput });
    return typeof wrong === 'string' ? wrong : undefined;
  } catch (error) {
    return messageOf(error);
  }
}
