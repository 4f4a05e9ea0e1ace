import { compileLinear, expressionIn, expressionProblem } from '../../kernel/linear-regex.ts';
import { isObject, type Params } from '../../protocol/message.ts';
import { badValue, type Path } from './control-errors.ts';

/**
 * Returns the params that a message of the journal must have. A text between slashes is a regular expression, as in the patterns of handlers.
 * @throws BodyError CONTROL_BAD_VALUE for an expression that RE2 does not take
 */
export function journalQueryParams(written: Params, path: Path): Params {
  const problem = expressionProblem(written, path);
  if (problem) throw badValue(problem.path, problem);
  return wanted(written) as Params;
}

function wanted(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(wanted);
  if (isObject(written)) return Object.fromEntries(Object.entries(written).map(([key, one]) => [key, wanted(one)]));
  const expression = expressionIn(written);
  if (expression === undefined) return written;
  const regex = compileLinear(expression);
  return {
    asymmetricMatch: (value: unknown) => typeof value === 'string' && regex.test(value),
    toAsymmetricMatcher: () => written,
  };
}
