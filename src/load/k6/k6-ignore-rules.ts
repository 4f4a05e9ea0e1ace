import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { compileLinear } from '../../kernel/linear-regex.ts';
import { VOLATILE_VALUES } from '../../match/default-ignore-pointers.ts';
import { ignoredExpressionIn } from '../../protocol/ignore-rule-syntax.ts';
import { parsePointer } from '../../protocol/json-pointer.ts';

/** An ignore rule as data of a script: a path in messages, or an expression for parts of texts. */
export type K6Ignore =
  | { steps: string[]; types?: readonly string[]; isRequired?: boolean }
  | { source: string; flags: string; start: number; end: number };

/** Ignore rules for values that vary by specification. */
export const VOLATILE_RULES: readonly K6Ignore[] = VOLATILE_VALUES.map(([pointer, { types, isRequired }]) => ({
  steps: parsePointer(pointer),
  types,
  ...(isRequired && { isRequired }),
}));

/**
 * Converts the ignore rules beside a cassette's events: JSON Pointers, and expressions such as `/rain/i`.
 * @throws McpRecordError USAGE_BAD_PATTERN
 */
export function writtenIgnores(written: readonly string[], file: string): K6Ignore[] {
  return [...new Set(written)].map((text) => {
    const expression = ignoredExpressionIn(text);
    return expression === undefined ? pointerIgnore(text) : patternIgnore(expression, `match.ignore of ${file}`);
  });
}

export function pointerIgnore(pointer: string): K6Ignore {
  return { steps: parsePointer(pointer) };
}

/**
 * Converts an expression to a rule. k6 has the expressions of JavaScript, so syntax of RE2 alone is refused.
 * @param place names the option or file with the expression
 * @throws McpRecordError USAGE_BAD_PATTERN
 */
export function patternIgnore({ source, flags }: Pick<RegExp, 'source' | 'flags'>, place: string): K6Ignore {
  const { fixed } = compileLinear({ source, flags });
  const why = problemOf(source, flags);
  if (why === undefined) return { source, flags, start: fixed.start, end: fixed.end };
  throw new McpRecordError({
    code: 'USAGE_BAD_PATTERN',
    what: `Cannot use ${JSON.stringify(source)} of ${place} in a script of k6`,
    why,
    next: 'Write it in the syntax that RE2 and JavaScript have in common, or name the place by a JSON Pointer.',
  });
}

/** Syntax of RE2 that JavaScript rejects or reads differently. */
const RE2_ALONE = /\(\?[a-zA-Z^-]|\\[AzQECpP]|\[\[:/;

function problemOf(source: string, flags: string): string | undefined {
  const [own] = RE2_ALONE.exec(source) ?? [];
  if (own !== undefined) return `JavaScript has no ${own}`;
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
