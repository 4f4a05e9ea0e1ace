import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { compileLinear, matchesEveryText } from '../../kernel/linear-regex.ts';
import { type Ignore, ignoreInStrings } from '../../match/ignore-rules.ts';
import { checkPartPointer } from '../../protocol/json-pointer.ts';

/** Options that exclude parts of messages from comparison, as commander gives them. */
export interface IgnoreOptions {
  ignore: string[];
  ignorePattern: string[];
}

/**
 * Returns the ignore rules of the options.
 * @throws McpRecordError USAGE_BAD_POINTER, USAGE_BAD_PATTERN
 */
export function ignoreRules({ ignore, ignorePattern }: IgnoreOptions): Ignore[] {
  for (const pointer of ignore) checkPartPointer(pointer);
  return [...ignore, ...ignorePattern.map((pattern) => ignoreInStrings(compiled(pattern)))];
}

function compiled(pattern: string): ReturnType<typeof compileLinear> {
  if (pattern === '') throw badPattern(pattern, 'it is empty');
  const expression = linear(pattern);
  if (!matchesEveryText(expression)) return expression;
  throw badPattern(pattern, 'it matches every text, so that no text would be compared', {
    next: "Write the form of what changes, such as '20\\d\\d-\\d\\d-\\d\\d', or name its place with --ignore POINTER.",
  });
}

function linear(pattern: string): ReturnType<typeof compileLinear> {
  try {
    return compileLinear(pattern);
  } catch (error) {
    throw badPattern(pattern, messageOf(error), { cause: error });
  }
}

const SYNTAX = 'Write an expression of RE2, which has no lookarounds and no back references.';

function badPattern(
  pattern: string,
  why: string,
  { next = SYNTAX, cause }: { next?: string; cause?: unknown } = {},
): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_PATTERN',
    what: `Cannot use --ignore-pattern ${JSON.stringify(pattern)}`,
    why,
    next,
    cause,
  });
}
