import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { compileLinear } from '../../kernel/linear-regex.ts';
import { type Ignore, ignoreInStrings, parsePointer } from '../../match/ignore-rules.ts';

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
  for (const pointer of ignore) parsePointer(pointer);
  return [...ignore, ...ignorePattern.map((pattern) => ignoreInStrings(compiled(pattern)))];
}

function compiled(pattern: string): ReturnType<typeof compileLinear> {
  if (pattern === '') throw badPattern(pattern, 'it is empty');
  try {
    return compileLinear(pattern);
  } catch (error) {
    throw badPattern(pattern, messageOf(error), error);
  }
}

function badPattern(pattern: string, why: string, cause?: unknown): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_PATTERN',
    what: `Cannot use --ignore-pattern ${JSON.stringify(pattern)}`,
    why,
    next: 'Write an expression of RE2, which has no lookarounds and no back references.',
    cause,
  });
}
