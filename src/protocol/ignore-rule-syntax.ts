import { compileLinear, expressionIn, expressionProblem, matchesEveryText } from '../kernel/linear-regex.ts';
import type { FieldProblem, Path } from '../kernel/validate-fields.ts';

/** Beginning of a pointer into a JSON-RPC message. */
const INTO_MESSAGE = /^\/(?:params|result|error|\*)\/.*[^/]$/s;

/**
 * Returns the expression in a written rule such as `/rain/i`. Undefined: the rule is a pointer. Any rule that begins
 * with a message member, such as `/params/arguments/i`, and does not end with a slash is a pointer.
 */
export function ignoredExpressionIn(written: string): ReturnType<typeof expressionIn> {
  return INTO_MESSAGE.test(written) ? undefined : expressionIn(written);
}

/** Returns the reason why a written rule, a pointer or an expression between slashes, cannot be used. */
export function writtenIgnoreProblem(written: string, path: Path): FieldProblem | undefined {
  if (INTO_MESSAGE.test(written)) return undefined;
  const problem = expressionProblem(written, path);
  const expression = expressionIn(written);
  if (problem || expression === undefined || !matchesEveryText(compileLinear(expression))) return problem;
  const why = `${written} matches every text, so that no text would be compared`;
  return {
    path,
    why,
    next: 'Write the form of what changes, such as /20\\d\\d-\\d\\d-\\d\\d/, or name its place by a JSON Pointer.',
  };
}
