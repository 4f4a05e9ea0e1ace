import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { type Pointer, parsePointer } from '../../protocol/json-pointer.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { type SecretMatch, secretOf } from '../replace/secret-match.ts';
import { catastrophicBacktracking } from './regex-safety.ts';

/** Where a text stands that a rule's function is asked about. */
export interface Where {
  /** Keys and indexes from the root of the message; absent outside of JSON. */
  path?: JsonPath;
}

/**
 * What a user wants redacted beside what is found anyway; exactly one of the four. What a key or a pointer names is
 * redacted whole, with all strings and numbers below it. `name` goes into the placeholder.
 */
export type Rule = { name?: string } & (
  | { /** Of an object: whole, case apart; or an expression. */ key: string | RegExp }
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

/** A user's rules, ready to be asked. */
export interface Rules {
  readonly isEmpty: boolean;
  /** The name of the secret that everything under this place is part of. */
  place(path: JsonPath): string | undefined;
  inText(text: string, where: Where): SecretMatch[];
}

/** @throws McpRecordError USAGE_BAD_RULE, USAGE_BAD_POINTER */
export function compileRules(rules: readonly Rule[]): Rules {
  const places: ((path: JsonPath) => string | undefined)[] = [];
  const texts: ((text: string, where: Where) => SecretMatch[])[] = [];
  for (const rule of rules) {
    const { name } = rule;
    if ('key' in rule) places.push(keyRule(rule.key, name));
    else if ('pointer' in rule) places.push(pointerRule(parsePointer(rule.pointer), name));
    else if ('pattern' in rule) texts.push(patternRule(rule.pattern, name ?? 'pattern'));
    else if (typeof rule.test === 'function') texts.push(testRule(rule.test, name ?? 'rule'));
    else throw badRule(JSON.stringify(rule), 'it has no key, pointer, pattern or test');
  }
  return {
    isEmpty: rules.length === 0,
    place: (path) => firstOf(places, (rule) => rule(path)),
    inText: (text, where) => texts.flatMap((rule) => rule(text, where)),
  };
}

function keyRule(key: string | RegExp, name: string | undefined): (path: JsonPath) => string | undefined {
  const matches =
    typeof key === 'string'
      ? (step: string) => step.toLowerCase() === key.toLowerCase()
      : (step: string) => step.search(key) >= 0;
  return (path) => {
    const step = path.at(-1);
    return typeof step === 'string' && matches(step) ? (name ?? step) : undefined;
  };
}

function pointerRule(steps: readonly string[], name: string | undefined): (path: JsonPath) => string | undefined {
  return (path) => {
    const isHere = path.length === steps.length && steps.every((step, i) => step === '*' || step === String(path[i]));
    return isHere ? (name ?? nameOf(path)) : undefined;
  };
}

function nameOf(path: JsonPath): string {
  return String(path.findLast((step) => typeof step === 'string') ?? 'message');
}

function patternRule(pattern: string | RegExp, name: string): (text: string) => SecretMatch[] {
  const expression = compile(pattern);
  return (text) =>
    [...text.matchAll(expression)]
      .map((match) => ({ name, ...secretOf(match) }))
      .filter(({ start, end }) => end > start);
}

function compile(pattern: string | RegExp): RegExp {
  const { source, flags } = typeof pattern === 'string' ? { source: pattern, flags: '' } : pattern;
  const why = catastrophicBacktracking(source);
  if (why !== undefined) throw badRule(source, `it could take for ever, as ${why}`);
  try {
    return new RegExp(source, [...new Set(`${flags.replace('y', '')}dg`)].join(''));
  } catch (cause) {
    throw badRule(source, `it is no regular expression: ${messageOf(cause)}`, cause);
  }
}

function testRule(
  test: (text: string, where: Where) => boolean,
  name: string,
): (text: string, where: Where) => SecretMatch[] {
  return (text, where) => (says(test, text, where) ? [{ name, start: 0, end: text.length }] : []);
}

/** A rule that fails must not let a secret through. */
function says(test: (text: string, where: Where) => boolean, text: string, where: Where): boolean {
  try {
    return text !== '' && test(text, where);
  } catch {
    return true;
  }
}

function firstOf<Item, Result>(items: readonly Item[], ask: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const result = ask(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

function badRule(rule: string, why: string, cause?: unknown): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_RULE',
    what: `Cannot redact by the rule ${rule}`,
    why,
    next: 'Give it a key, a JSON Pointer, a regular expression, or a function: see docs/redaction.md.',
    cause,
  });
}
