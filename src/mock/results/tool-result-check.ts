import { isAwaitable } from '../../kernel/platform/other-realms.ts';
import { isObject } from '../../protocol/message.ts';
import { isUsual } from '../../protocol/results/usual-result.ts';
import { isToolResult } from '../handler-value-to-result.ts';
import type { CheckedValue } from '../tool-schema.ts';
import { type MadeResult, misspeltToolResult, toolResultProblem } from './result-problem.ts';

/** Returns the problem of a tool's result, including structured content that its `outputSchema` forbids. */
export function toolResultProblemOf({
  value,
  result,
  modern,
  checkOutput,
}: MadeResult): string | undefined | Promise<string | undefined> {
  const isWhole = isObject(value) && isToolResult(value);
  const misspelt = isObject(value) && (isWhole || !checkOutput) ? misspeltToolResult(value, isWhole) : undefined;
  const problem = misspelt ?? toolResultProblem(result, modern);
  // An error needs no structured content (2025-11-25, "Output Schema").
  if (problem !== undefined || !checkOutput || result.isError || !isUsual(result)) return problem;
  if (result.structuredContent === undefined) return 'it has no structured content, which its outputSchema describes';
  const wrong = checkOutput(result.structuredContent);
  return isAwaitable(wrong) ? wrong.then(unfitting) : unfitting(wrong);
}

function unfitting(checked: CheckedValue): string | undefined {
  return 'problem' in checked ? `its structured content does not fit its outputSchema: ${checked.problem}` : undefined;
}
