import { compileLinear, type LinearRegex } from '../kernel/linear-regex.ts';
import { ignoredExpressionIn } from '../protocol/ignore-rule-syntax.ts';
import type { Pointer } from '../protocol/json-pointer.ts';
import { isObject } from '../protocol/message.ts';
import { ExactNumber } from './exact-json-value.ts';
import { pointerRemover } from './pointer-remover.ts';

export { escapeStep, type Pointer, parsePointer } from '../protocol/json-pointer.ts';

/**
 * Returns the form of a message that is compared. It must not change its argument. Numbers may be `ExactNumber`
 * objects.
 */
export interface Normalize {
  (message: unknown): unknown;
  /** Returns the same form with the secrets told apart: see `NUMBERED_SECRET`. Absent: it masks no secrets. */
  numbered?(message: unknown): unknown;
}

/**
 * Rule that excludes parts of messages from comparison: a pointer, a regular expression for parts of strings, or a
 * function.
 */
export type Ignore = Pointer | RegExp | Normalize;

/**
 * Returns `value` without the parts that `ignore` names. Other parts are shared, not copied. Elements of a list keep
 * their positions, and a list ends with its last remaining element.
 */
export function without(value: unknown, ignore: readonly Ignore[]): unknown {
  if (ignore.length === 0) return value;
  const known = removers.get(ignore) ?? remover(ignore);
  removers.set(ignore, known);
  return known(value);
}

/** Returns the rules, with those that mask secrets in the form that tells the secrets apart. */
export function numberedRules(ignore: readonly Ignore[]): readonly Ignore[] {
  const known = numbered.get(ignore);
  if (known) return known;
  const rules = ignore.map((rule) => (typeof rule === 'function' && rule.numbered) || rule);
  const found = rules.every((rule, index) => rule === ignore[index]) ? ignore : rules;
  numbered.set(ignore, found);
  return found;
}

const numbered = new WeakMap<readonly Ignore[], readonly Ignore[]>();

/** Cache of {@link remover} functions by rule list, because a session compares all messages with the same list. */
const removers = new WeakMap<readonly Ignore[], Normalize>();

/**
 * Returns a function that removes the parts that `ignore` names. Use it for many values: pointers are parsed once, and
 * consecutive pointers share one walk.
 */
export function remover(ignore: readonly Ignore[]): Normalize {
  const parts: Normalize[] = [];
  let pointers: Pointer[] = [];
  const flush = () => {
    if (pointers.length > 0) parts.push(pointerRemover(pointers));
    pointers = [];
  };
  for (const one of ignore) {
    if (typeof one === 'string') {
      pointers.push(one);
      continue;
    }
    flush();
    parts.push(typeof one === 'function' ? one : ignoreInStrings(compiled(one)));
  }
  flush();
  return (value) => parts.reduce((rest, part) => part(rest), value);
}

/** Stands in a compared string for a part that is ignored. */
export const IGNORED = '[ignored]';

/**
 * Returns a function that replaces the matches of `expression` in every string of a message. Keys stay. So does the fixed
 * text at both ends of a match: matches of two expressions are no equal texts.
 */
export function ignoreInStrings(expression: LinearRegex): Normalize {
  const { fixed } = expression;
  const inText = (text: string) => {
    const spans = expression.matches(text).filter(isFilled);
    return spans.reduceRight((rest, { start, end }) => {
      return rest.slice(0, start + fixed.start) + IGNORED + rest.slice(end - fixed.end);
    }, text);
  };
  const inValue: Normalize = (value) => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(inValue);
    if (!isObject(value) || value instanceof ExactNumber) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inValue(item)]));
  };
  expressionsOf.set(inValue, expression);
  return inValue;
}

/** Expressions of the rules that {@link ignoreInStrings} has made. */
const expressionsOf = new WeakMap<Normalize, LinearRegex>();

/** Returns the expressions among rules. */
export function ignoredExpressions(ignore: readonly Ignore[]): LinearRegex[] {
  return ignore.flatMap((rule) => {
    if (typeof rule === 'string') return [];
    return (typeof rule === 'function' ? expressionsOf.get(rule) : compiled(rule)) ?? [];
  });
}

const isFilled = ({ start, end }: { start: number; end: number }): boolean => end > start;

/**
 * Returns the rules that a cassette has in `match.ignore`: pointers, and expressions such as `/rain/i`. Equal texts give
 * the same rule, so that events with equal rules are compared together.
 */
export function rulesAsWritten(written: readonly string[]): readonly Ignore[] {
  return written.map((text) => {
    const expression = ignoredExpressionIn(text);
    if (expression === undefined) return text;
    const rule = rules.get(text) ?? ignoreInStrings(compileLinear(expression));
    rules.set(text, rule);
    return rule;
  });
}

/** Compiled expressions of cassettes, by their text. */
const rules = new Map<string, Normalize>();

const expressions = new WeakMap<RegExp, LinearRegex>();

/** Compiles an expression of a test once. */
function compiled(expression: RegExp): LinearRegex {
  const known = expressions.get(expression);
  if (known) return known;
  const linear = compileLinear(expression);
  expressions.set(expression, linear);
  return linear;
}
