import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { compileLinear } from '../../kernel/linear-regex.ts';
import { VOLATILE_VALUES } from '../../match/default-ignore-pointers.ts';
import { ignoredExpressionIn } from '../../protocol/ignore-rule-syntax.ts';
import { parsePointer } from '../../protocol/json-pointer.ts';

/** A rule for what is not compared, as data of a script: a place in messages, or parts of texts. */
export type K6Ignore =
  | { steps: string[]; types?: readonly string[]; isRequired?: boolean }
  | { source: string; flags: string; start: number; end: number };

/** Rules for values that the specification lets vary. */
export const VOLATILE_RULES: readonly K6Ignore[] = VOLATILE_VALUES.map(([pointer, { types, isRequired }]) => ({
  steps: parsePointer(pointer),
  types,
  ...(isRequired && { isRequired }),
}));

/**
 * Returns the rules that a cassette has beside its events: pointers, and expressions such as `/rain/i`.
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
 * Returns the rule for an expression. Scripts of k6 have the expressions of JavaScript, and not RE2.
 * @param place names the option or the file that has it
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

/** Syntax that RE2 has alone: JavaScript takes it for something else, or not at all. */
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
