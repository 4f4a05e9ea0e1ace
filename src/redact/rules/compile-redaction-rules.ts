import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { compileLinear, type LinearRegex, type NoValueGroup, noValueGroup } from '../../kernel/linear-regex.ts';
import { type Pointer, parsePointer } from '../../protocol/json-pointer.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { placeholderName } from '../replace/placeholders.ts';
import type { SecretMatch } from '../replace/secret-match.ts';

/** Position of a text, as passed to a user's `test` function. */
export interface Where {
  /** Keys and indexes from the root of the message. Absent outside of JSON. */
  path?: JsonPath;
}

/**
 * Rule for an additional secret, of exactly one of the four kinds. The value of a key or pointer is redacted
 * completely, including all strings and numbers below it. `name` becomes part of the placeholder.
 */
export type RedactionRule = { name?: string } & (
  | { /** Key of an object member, ignoring case, or an expression for keys. */ key: string | RegExp }
  | { pointer: Pointer }
  | {
      /** Secret: the first group, or the whole match. A string is the source of an expression. */ pattern:
        | string
        | RegExp;
    }
  | {
      /** Whether a whole text is a secret. One that throws says yes. */ test: (text: string, where: Where) => boolean;
    }
);

/** Kind of a value, which decides whether a rule for the value's key applies. */
export interface ValueKind {
  /** Whether the value is inside a JSON Schema, where keys are names of properties. */
  isSchema: boolean;
  /** Whether the value is an object or a list. */
  isContainer: boolean;
  /** Reports whether the value is a name in an MCP structure, such as the name of a tool. */
  isNamed?(): boolean;
}

/** Compiled rules of a user. */
export interface CompiledRedactionRules {
  readonly isEmpty: boolean;
  /** Returns the name of the secret that covers the value at a path. Undefined if no rule applies. */
  place(path: JsonPath, value: ValueKind): string | undefined;
  /** Returns the name of the secret in an HTTP header, by rules for keys. Undefined if no rule applies. */
  header(name: string): string | undefined;
  inText(text: string, where: Where): SecretMatch[];
  /** Returns the name of the first named pattern that matches a whole value. Undefined if there is none. */
  nameOfWhole(value: string): string | undefined;
  /** Returns the rules without any match so far. */
  unused(): RedactionRule[];
  /** Forgets the matches so far, because environment variables do not count as use. */
  forgetUse(): void;
}

type TextRule = (text: string, where: Where) => SecretMatch[];

/**
 * Compiles rules. `isNaming` selects the rules that `nameOfWhole` considers.
 * @throws McpRecordError USAGE_BAD_RULE, USAGE_BAD_POINTER
 */
export function compileRedactionRules(
  rules: readonly RedactionRule[],
  isNaming: (rule: RedactionRule) => boolean = () => true,
): CompiledRedactionRules {
  const used = new Set<RedactionRule>();
  const places: Place[] = [];
  const keys: Place[] = [];
  const texts: TextRule[] = [];
  const named: TextRule[] = [];
  for (const rule of rules) {
    const { name } = rule;
    const noted =
      (find: Place): Place =>
      (path, value) => {
        const found = find(path, value);
        if (found !== undefined) used.add(rule);
        return found;
      };
    const text = (find: TextRule): TextRule => {
      const noting: TextRule = (written, where) => {
        const found = find(written, where);
        if (found.length > 0) used.add(rule);
        return found;
      };
      texts.push(noting);
      return noting;
    };
    if ('key' in rule) keys.push(noted(keyRule(rule.key, name)));
    else if ('pointer' in rule) places.push(noted(pointerRule(parsePointer(rule.pointer), name)));
    else if ('pattern' in rule) {
      const pattern = text(patternRule(rule.pattern, nameOfRule(rule)));
      requireValueGroup(rule.pattern);
      if (name !== undefined && isNaming(rule)) named.push(pattern);
    } else if (typeof rule.test === 'function') text(testRule(rule.test, nameOfRule(rule)));
    else throw badRule(JSON.stringify(rule), 'it has no key, pointer, pattern or test');
  }
  return {
    isEmpty: rules.length === 0,
    // Tries every rule, so that the use of each one is noted.
    place: (path, value) => firstName([...keys, ...places], path, value),
    header: (name) => (HEADERS_OF_MESSAGE.has(name) ? undefined : firstName(keys, [keyOfHeader(name)], PLAIN)),
    inText: (text, where) => texts.flatMap((rule) => rule(text, where)),
    nameOfWhole: (value) => {
      const isWhole = ({ start, end }: SecretMatch) => start === 0 && end === value.length;
      return named.flatMap((rule) => rule(value, {})).find(isWhole)?.name;
    },
    forgetUse: () => used.clear(),
    unused: () => rules.filter((rule) => !used.has(rule)),
  };
}

/** Returns the name in the placeholders of a rule. A rule for several keys uses the name of the matching key. */
export function nameOfRule(rule: RedactionRule): string {
  if (rule.name !== undefined) return rule.name;
  if ('pattern' in rule) return 'pattern';
  if ('test' in rule) return 'rule';
  return 'key' in rule ? String(rule.key) : (parsePointer(rule.pointer).at(-1) ?? 'message');
}

/**
 * Returns the name of a rule for the cassette header: the name in placeholders, or the expression for keys. Undefined
 * for a rule that matches any key.
 */
export function listedName(rule: RedactionRule): string | undefined {
  if (rule.name === undefined && 'pointer' in rule && parsePointer(rule.pointer).at(-1) === '*') return undefined;
  if (rule.name === undefined && 'key' in rule && typeof rule.key !== 'string') return String(rule.key);
  return placeholderName(nameOfRule(rule));
}

/**
 * Headers that repeat protocol values of the message (2026-07-28, "Standard Headers"). Rules do not redact these values
 * in the message either.
 */
const HEADERS_OF_MESSAGE: ReadonlySet<string> = new Set(['mcp-method', 'mcp-name', 'mcp-protocol-version']);

/** Returns the key of a header for rules. A header that repeats a tool argument has the argument's key. */
function keyOfHeader(name: string): string {
  return name.replace(/^mcp-param-/, '');
}

const PLAIN: ValueKind = { isSchema: false, isContainer: false };

function firstName(rules: readonly Place[], path: JsonPath, value: ValueKind): string | undefined {
  return rules.map((rule) => rule(path, value)).find((found) => found !== undefined);
}

type Place = (path: JsonPath, value: ValueKind) => string | undefined;

/** Keywords of JSON Schema that contain values of the property. */
const SCHEMA_VALUES: ReadonlySet<unknown> = new Set(['default', 'const', 'enum', 'examples', 'example']);

/**
 * Returns a rule for a key. In a JSON Schema the key is a property's name, and the property's schema stays: only
 * default and example values in it are redacted.
 */
function keyRule(key: string | RegExp, name: string | undefined): Place {
  const expression = typeof key === 'string' ? undefined : compilePattern(key);
  const matches = (step: string) =>
    expression ? expression.test(step) : step.toLowerCase() === String(key).toLowerCase();
  const named = (step: string | number | undefined) =>
    typeof step === 'string' && matches(step) ? (name ?? step) : undefined;
  const nameAt: Place = (path, { isSchema, isContainer }) => {
    const [property, step] = path.slice(-2);
    if (isSchema && SCHEMA_VALUES.has(step) && named(property) !== undefined) return named(property);
    return isSchema && isContainer ? undefined : named(path.at(-1));
  };
  return (path, value) => {
    const found = nameAt(path, value);
    return found === undefined || value.isNamed?.() ? undefined : found;
  };
}

function pointerRule(steps: readonly string[], name: string | undefined): Place {
  return (path) => {
    const isHere = path.length === steps.length && steps.every((step, i) => step === '*' || step === String(path[i]));
    return isHere ? (name ?? nameOf(path)) : undefined;
  };
}

function nameOf(path: JsonPath): string {
  return String(path.findLast((step) => typeof step === 'string') ?? 'message');
}

function patternRule(pattern: string | RegExp, name: string): (text: string) => SecretMatch[] {
  const expression = compilePattern(pattern);
  return (text) =>
    expression
      .spans(text)
      .map((span) => ({ name, ...span }))
      .filter(({ start, end }) => end > start);
}

/**
 * Compiles an expression of a user.
 * @throws McpRecordError USAGE_BAD_RULE
 */
export function compilePattern(pattern: string | RegExp): LinearRegex {
  try {
    return compileLinear(pattern);
  } catch (cause) {
    const source = typeof pattern === 'string' ? pattern : pattern.source;
    throw badRule(source, `it is not a regular expression of RE2: ${messageOf(cause)}`, cause);
  }
}

function testRule(
  test: (text: string, where: Where) => boolean,
  name: string,
): (text: string, where: Where) => SecretMatch[] {
  return (text, where) => (says(test, text, where) ? [{ name, start: 0, end: text.length }] : []);
}

/** Applies a user's `test` function. A thrown error counts as true, so that no secret passes. */
function says(test: (text: string, where: Where) => boolean, text: string, where: Where): boolean {
  try {
    return text !== '' && test(text, where);
  } catch {
    return true;
  }
}

/** @throws McpRecordError USAGE_BAD_RULE if the first group of a pattern cannot be the value to redact */
function requireValueGroup(pattern: string | RegExp): void {
  const source = typeof pattern === 'string' ? pattern : pattern.source;
  const kind = noValueGroup(source);
  if (kind === undefined) return;
  throw badRule(source, `only its first group is redacted, which ${NO_VALUE[kind]}`, undefined, NO_GROUP);
}

/** Reasons why a group is not the value that a rule is meant to redact. */
const NO_VALUE: Readonly<Record<NoValueGroup, string>> = {
  repeated: 'is repeated or optional: the rest would stay',
  words: 'has fixed words alone: the rest would stay',
};
const NO_GROUP = 'Write (?:…) for a group that is no value, and (?<name>…) for one that is.';
const KINDS_OF_RULES = 'Give it a key, a JSON Pointer, a regular expression, or a function: see docs/redaction.md.';

function badRule(rule: string, why: string, cause?: unknown, next: string = KINDS_OF_RULES): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_RULE',
    what: `Cannot redact by the rule ${rule}`,
    why,
    next,
    cause,
  });
}
