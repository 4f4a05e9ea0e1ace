import { compileLinear, expressionIn } from '../kernel/linear-regex.ts';
import { isObject } from '../protocol/message.ts';
import { canonicalJson } from './canonical-json.ts';

/** Reports whether a value matches a pattern. */
export type ValuePattern = (value: unknown) => boolean;

/**
 * Compiles a pattern that a user wrote as JSON or YAML.
 * - A mapping matches every object that has its keys with matching values, and perhaps other keys.
 * - A list matches a list with the same number of matching items.
 * - A text between slashes (`/^rain/i`) is a regular expression for RE2, found anywhere in a text.
 * - Any other value matches itself.
 * @throws RE2JSException for an invalid expression; check with `expressionProblem` first
 */
export function compilePattern(written: unknown): ValuePattern {
  return compile(written, expressionIn);
}

/** Compiles a pattern without regular expressions: each text matches only itself. */
export function compileLiteral(written: unknown): ValuePattern {
  return compile(written, () => undefined);
}

function compile(written: unknown, expressionOf: typeof expressionIn): ValuePattern {
  if (isObject(written)) {
    const members = Object.entries(written).map(([key, one]) => [key, compile(one, expressionOf)] as const);
    return (value) =>
      isObject(value) && members.every(([key, accepts]) => Object.hasOwn(value, key) && accepts(value[key]));
  }
  if (Array.isArray(written)) {
    const items = written.map((one) => compile(one, expressionOf));
    return (value) =>
      Array.isArray(value) && value.length === items.length && items.every((accepts, at) => accepts(value[at]));
  }
  const expression = expressionOf(written);
  if (expression !== undefined) {
    const regex = compileLinear(expression);
    return (value) => typeof value === 'string' && regex.test(value);
  }
  const same = canonicalJson(written);
  return (value) => canonicalJson(value) === same;
}
