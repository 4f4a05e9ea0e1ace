import { isObject } from '../../protocol/message.ts';
import { isToolResult } from '../handler-results.ts';
import { type CheckedValue, type ToolSchema, valueCheck } from '../tool-schema.ts';
import { isUsual, type MadeResult, misspeltToolResult, toolResultProblem } from './result-problem.ts';

/** Returns a function that checks a tool's results, including structured content against `outputSchema`. */
export function toolResultCheck(
  outputSchema: ToolSchema | undefined,
): (made: MadeResult) => string | undefined | Promise<string | undefined> {
  const check = outputSchema && valueCheck(outputSchema, 'outputSchema');
  return ({ value, result, modern }) => {
    const isWhole = isObject(value) && isToolResult(value);
    const misspelt = isObject(value) && (isWhole || !check) ? misspeltToolResult(value, isWhole) : undefined;
    const problem = misspelt ?? toolResultProblem(result, modern);
    // An error needs no structured content (2025-11-25, "Output Schema").
    if (problem !== undefined || !check || result.isError || !isUsual(result)) return problem;
    if (result.structuredContent === undefined) return 'it has no structured content, which its outputSchema describes';
    const wrong = check(result.structuredContent);
    return wrong instanceof Promise ? wrong.then(unfitting) : unfitting(wrong);
  };
}

function unfitting(checked: CheckedValue): string | undefined {
  return 'problem' in checked ? `its structured content does not fit its outputSchema: ${checked.problem}` : undefined;
}
