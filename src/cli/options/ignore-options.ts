import type { Cassette } from '../../cassette/cassette.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { compileLinear, matchesEveryText } from '../../kernel/linear-regex.ts';
import { type Ignore, ignoreInStrings } from '../../match/ignore-rules.ts';
import { IgnoreUsage, type NamedRule } from '../../match/ignore-usage.ts';
import { checkPartPointer } from '../../protocol/json-pointer.ts';
import { say } from '../io/output.ts';

/** Options that exclude parts of messages from comparison, as commander gives them. */
export interface IgnoreOptions {
  ignore: string[];
  ignorePattern: string[];
}

/** Ignore rules from the options, with a record of which rules matched. */
export interface GivenIgnores {
  /** Rules, preceded by an internal rule that observes each compared message. Empty: no rules are given. */
  ignore: Ignore[];
  named: NamedRule[];
  usage: IgnoreUsage;
}

/**
 * Returns the ignore rules of the options. The rules count as used if they match anything in `recorded`, or in a
 * message that is compared.
 * @throws McpRecordError USAGE_BAD_POINTER, USAGE_BAD_PATTERN
 */
export function givenIgnores({ ignore, ignorePattern }: IgnoreOptions): GivenIgnores {
  for (const pointer of ignore) checkPartPointer(pointer);
  const patterns = ignorePattern.map((pattern) => ({ pattern, expression: compiled(pattern) }));
  const named = [
    ...ignore.map((pointer) => ({ name: `--ignore '${pointer}'`, rule: pointer })),
    ...patterns.map(({ pattern, expression }) => ({ name: `--ignore-pattern '${pattern}'`, rule: expression })),
  ];
  const usage = new IgnoreUsage(named);
  const rules = [...ignore, ...patterns.map(({ expression }) => ignoreInStrings(expression))];
  return { ignore: rules.length === 0 ? [] : [usage.observer, ...rules], named, usage };
}

/** Notes which rules match anything in recorded sessions. */
export function seeRecorded({ usage }: GivenIgnores, cassettes: readonly Cassette[]): void {
  for (const { events } of cassettes)
    for (const { frame } of events) if (frame.kind === 'message') usage.see(frame.json.value);
}

/** Prints a note for each rule that has matched nothing, in the cassettes or in a compared message. */
export function sayUnusedIgnores(given: GivenIgnores, cassettes: readonly Cassette[]): void {
  seeRecorded(given, cassettes);
  for (const note of given.usage.notes()) say(`Note: ${note}`);
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
