import { isRegExp } from '../kernel/platform/other-realms.ts';
import { escapeStep } from '../protocol/json-pointer.ts';
import { jsonOf } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';

/** Difference between a value and a test's expectation at one place. */
interface Mismatch {
  /** JSON pointer. */
  path: string;
  /** Undefined: the value is absent. */
  value: unknown;
  wanted: unknown;
}

/** Asymmetric matcher of Jest, vitest and others, such as `expect.any(String)`. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
  sample?: unknown;
}

/**
 * Reports whether a JSON value meets a test's expectation.
 * - An object has the wanted members, and perhaps others. A member wanted as undefined is absent.
 * - A list has the same number of items.
 * - A regular expression matches a part of a text.
 * - An asymmetric matcher decides about a value that is present.
 */
export function matchesExpected(value: unknown, wanted: unknown): boolean {
  return mismatches(value, wanted).length === 0;
}

/** Reports whether a value can describe an object. Regular expressions, maps and dates cannot. */
export function isExpectedObject(wanted: unknown): wanted is Record<string, unknown> {
  return isAsymmetric(wanted) || (isMembers(wanted) && !hasToJson(wanted));
}

/** Reports whether a value holds a regular expression or an asymmetric matcher: code of the test runs when it is compared. */
export function usesMatchers(wanted: unknown): boolean {
  if (isAsymmetric(wanted) || isRegExp(wanted)) return true;
  if (Array.isArray(wanted)) return wanted.some(usesMatchers);
  return isMembers(wanted) && Object.values(wanted).some(usesMatchers);
}

/**
 * Returns the first place of a wanted value that no JSON value can match, such as a function or a set. Undefined: the
 * value has no such place.
 */
export function neverMatches(wanted: unknown, path = ''): string | undefined {
  if (isAsymmetric(wanted) || isRegExp(wanted) || hasToJson(wanted)) return undefined;
  if (Array.isArray(wanted)) return wanted.map((one, index) => neverMatches(one, `${path}/${index}`)).find(isDefined);
  if (isMembers(wanted))
    return Object.entries(wanted)
      .map(([name, member]) => neverMatches(member, `${path}/${escapeStep(name)}`))
      .find(isDefined);
  const isFit = wanted === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof wanted);
  return isFit ? undefined : `${path} (${tagOf(wanted).slice('[object '.length, -1)})`;
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

/** Returns the value with the fewest mismatches. Of equal ones, the first is returned. */
export function nearest<Value>(values: readonly Value[], wanted: unknown): Value | undefined {
  let best: { value: Value; count: number } | undefined;
  for (const value of values) {
    const count = mismatches(value, wanted).length;
    if (best === undefined || count < best.count) best = { value, count };
  }
  return best?.value;
}

const SHOWN_PLACES_MAX = 3;

/** Describes the mismatches of a value: `/arguments/city is "Oslo", not /rome/`. */
export function describeMismatches(value: unknown, wanted: unknown): string {
  const all = mismatches(value, wanted);
  const shown = all
    .slice(0, SHOWN_PLACES_MAX)
    .map((one) => `${one.path || '/'} is ${brief(cameText(one.value))}, not ${brief(textOf(one.wanted))}`);
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more differ`] : [])].join('; ');
}

/** Formats a wanted value as JSON, with regular expressions and matchers in their usual notation. */
export function textOf(wanted: unknown): string {
  if (wanted === undefined) return ABSENT;
  if (isAsymmetric(wanted)) return matcherText(wanted);
  if (Array.isArray(wanted)) return `[${wanted.map(textOf).join()}]`;
  if (hasToJson(wanted)) return textOf(wanted.toJSON());
  if (isMembers(wanted))
    return `{${Object.entries(wanted).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)}}`;
  if (typeof wanted === 'function') return wanted.name;
  return typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted);
}

const LENGTH_MAX = 80;

/** Cuts a long text. */
export function brief(text: string): string {
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text;
}

const ABSENT = 'absent';

function mismatches(value: unknown, wanted: unknown, path = ''): Mismatch[] {
  if (hasToJson(wanted) && !isAsymmetric(wanted)) return mismatches(value, wanted.toJSON(), path);
  if (Array.isArray(wanted) && Array.isArray(value) && value.length === wanted.length)
    return wanted.flatMap((one, index) => mismatches(value[index], one, `${path}/${index}`));
  if (isMembers(wanted) && !isAsymmetric(wanted) && isObject(value))
    return Object.entries(wanted).flatMap(([name, member]) => {
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      return mismatches(own, member, `${path}/${escapeStep(name)}`);
    });
  return isAsSingle(value, wanted) ? [] : [{ path, value, wanted }];
}

function isAsSingle(value: unknown, wanted: unknown): boolean {
  if (isAsymmetric(wanted)) return value !== undefined && wanted.asymmetricMatch(value) === true;
  // Unlike `test`, `search` heeds no `lastIndex`.
  if (isRegExp(wanted)) return typeof value === 'string' && value.search(wanted) >= 0;
  return value === wanted;
}

function isAsymmetric(wanted: unknown): wanted is AsymmetricMatcher & Record<string, unknown> {
  return isObject(wanted) && typeof wanted.asymmetricMatch === 'function';
}

/** Reports whether a value is compared by members. Maps and sets have no members. */
function isMembers(wanted: unknown): wanted is Record<string, unknown> {
  return tagOf(wanted) === '[object Object]';
}

/** Reports whether a value has `toJSON`, such as a date or a URL. `JSON.stringify` sends the result of that method. */
function hasToJson(wanted: unknown): wanted is { toJSON(): unknown } {
  return isObject(wanted) && typeof wanted.toJSON === 'function';
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

function matcherText(matcher: AsymmetricMatcher): string {
  if (matcher.toAsymmetricMatcher) return matcher.toAsymmetricMatcher();
  return matcher.sample === undefined ? String(matcher) : `${matcher} ${textOf(matcher.sample)}`;
}

function cameText(value: unknown): string {
  return value === undefined ? ABSENT : jsonOf(value);
}
