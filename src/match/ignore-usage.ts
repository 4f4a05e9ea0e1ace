import type { LinearRegex } from '../kernel/linear-regex.ts';
import { isObject } from '../protocol/message.ts';
import { ExactNumber } from './exact-json-value.ts';
import { type Ignore, type Pointer, parsePointer } from './ignore-rules.ts';

/** An ignore rule with its name in messages, such as `--ignore '/result/at'`. */
export interface NamedRule {
  name: string;
  rule: Pointer | LinearRegex;
}

/** Ignore rules that have matched nothing so far, since a rule that matches nothing is probably misspelled. */
export class IgnoreUsage {
  #unused: readonly NamedRule[];

  constructor(rules: readonly NamedRule[]) {
    this.#unused = rules;
  }

  /** Notes which rules match a part of a message. */
  see(message: unknown): void {
    if (this.#unused.length > 0) this.#unused = this.#unused.filter(({ rule }) => !matchesIn(message, rule));
  }

  /** Rule for comparisons that ignores nothing, but sees each compared message. */
  readonly observer: Ignore = (message) => {
    this.see(message);
    return message;
  };

  /** Returns a sentence for each rule that matched nothing. */
  notes(): string[] {
    return this.#unused.map(({ name }) => `${name} matched nothing: is it misspelled?`);
  }
}

function matchesIn(message: unknown, rule: Pointer | LinearRegex): boolean {
  return typeof rule === 'string' ? hasPlace(message, parsePointer(rule)) : hasMatch(message, rule);
}

function hasPlace(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  if (step === '*' && Object.values(value).some((item) => hasPlace(item, rest))) return true;
  if (Array.isArray(value) && step === 'length') return false;
  return Object.hasOwn(value, step) && hasPlace((value as Record<string, unknown>)[step], rest);
}

function hasMatch(value: unknown, expression: LinearRegex): boolean {
  if (typeof value === 'string') return expression.matches(value).some(({ start, end }) => end > start);
  if (Array.isArray(value)) return value.some((item) => hasMatch(item, expression));
  if (!isObject(value) || value instanceof ExactNumber) return false;
  return Object.values(value).some((item) => hasMatch(item, expression));
}
