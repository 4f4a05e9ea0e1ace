import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { LinearRegex } from '../../kernel/linear-regex.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { type Ignore, ignoredExpressions, parsePointer, rulesAsWritten } from '../../match/ignore-rules.ts';
import type { JsonPath, Span } from '../../protocol/json-scan.ts';
import { isRequest, resultOf } from '../../protocol/message.ts';
import { LISTS } from '../../protocol/method-table.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import { isLikelyId } from './ids-in-text.ts';
import {
  type LiveValuesOptions,
  RETURNING,
  type ReturnedValue,
  ReturnedValueRewriter,
  returnedValues,
  sentTexts,
  textOf,
  type ValuePlace,
} from './returned-values.ts';

/**
 * Returns the rewriter for the values that answers of a plan return and later requests send: those that look like ids,
 * short ones, and the `captured` ones that a test names.
 */
export function returnedValueRewriter(
  { entries, links }: Pick<ReplayPlan, 'entries' | 'links'>,
  { captured = [], ...options }: LiveValuesOptions & { ignore: readonly Ignore[]; captured?: readonly ReturnedValue[] },
): ReturnedValueRewriter {
  const byForm = returnedValues(entries, links);
  const named = new Set(captured.map(({ recorded }) => recorded));
  const formed = new Set(byForm.map(({ recorded }) => recorded));
  const ruled = leftOutReturnedValues(entries, links, options.ignore).filter(({ recorded }) => !formed.has(recorded));
  const found = [...byForm, ...ruled];
  return new ReturnedValueRewriter([...captured, ...found.filter(({ recorded }) => !named.has(recorded))], options);
}

/**
 * Finds further values that a rule leaves out of an answer, and that a later request sends as a whole: values that are too
 * short to look like ids, such as `c14`, and whole texts of a list, such as `notes://n98`. A number or a word counts only
 * if the request has it under the same name, which is a key, or the word before it in a text.
 */
export function leftOutReturnedValues(
  entries: readonly SessionEntry[],
  { requestOf }: Pick<Links, 'requestOf'>,
  ignore: readonly Ignore[],
): ReturnedValue[] {
  const returned = new ListMap<string, NamedPlace>();
  const own = new Set<string>();
  const found: ReturnedValue[] = [];
  for (const entry of entries) {
    for (const { text, path } of sentTexts(entry)) {
      const places = returned.get(text);
      const isNamed = ({ name }: NamedPlace) => isSameName(name, `${path.at(-1)}`);
      const isShort = !isLikelyId(text);
      const place = places?.find(isNamed) ?? (isMixed(text) || !isShort ? places?.[0] : undefined);
      if (places === undefined) own.add(text);
      else if (place !== undefined)
        found.push({
          recorded: text,
          returned: place.place,
          sent: { entry: entry.index, path },
          ...(isShort && { isShort }),
          ...(place.isListed && { isListed: true as const }),
        });
    }
    const request = entries[requestOf.get(entry.index) ?? -1];
    if (entry.from !== 'server' || !isRequest(request?.message)) continue;
    const { method } = request.message;
    const isListed = LISTS.has(method);
    if (!isListed && !RETURNING.has(method)) continue;
    const leftOut = leftOutValues(entry, [...ignore, ...ownRules(request), ...ownRules(entry)]);
    for (const { text, span, path } of isListed ? wholeTexts(leftOut) : leftOut) {
      const value = text.slice(span.start, span.end);
      const isLater = returned.get(value)?.some(({ place }) => place.entry !== entry.index);
      if (value === '' || (isLikelyId(value) && !isListed) || own.has(value) || isLater) continue;
      const place = { entry: entry.index, path, ...(value !== text && { span }) };
      returned.add(value, { place, name: nameOfPart({ text, path, span }), isListed });
    }
  }
  return found;
}

const ownRules = ({ match }: SessionEntry): readonly Ignore[] => rulesAsWritten(match?.ignore ?? []);

/** Returns the whole texts that rules leave out, wholly or in part: the next request names an item of a list by its text. */
function wholeTexts(values: readonly LeftOutValue[]): LeftOutValue[] {
  return values.map((value) => ({ ...value, span: { start: 0, end: value.text.length } }));
}

/** Reports whether a value has letters and digits: hardly a word, a count or a limit. */
function isMixed(value: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w-]+$/.test(value);
}

/** Place of a value, with the name that the value has there. */
interface NamedPlace {
  place: ValuePlace;
  name: string;
  isListed: boolean;
}

/** Returns the key of a member, or the word before a part of a text: the key in JSON, and `cart` in `cart: 7`. */
function nameOfPart({ text, path, span }: LeftOutValue): string {
  if (span.start === 0 && span.end === text.length) return `${path.at(-1)}`;
  return /([\w-]+)[^\w]*$/.exec(text.slice(0, span.start))?.[1] ?? '';
}

/** Reports whether one name ends with the other: `id` and `cartId`. */
function isSameName(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a !== '' && b !== '' && (a.endsWith(b) || b.endsWith(a));
}

/**
 * Returns the parts of a text that rules leave out, and that have a short value which clients send, under the same name.
 * Equal values with other names are a coincidence.
 */
export function shortValueSpans(
  {
    text,
    path,
    isLeftOut,
    patterns,
  }: { text: string; path: JsonPath; isLeftOut: boolean; patterns: readonly LinearRegex[] },
  values: ReadonlyMap<string, readonly string[]>,
): Span[] {
  if (values.size === 0) return [];
  return leftOutParts(text, { isWhole: isLeftOut, expressions: patterns }).filter((span) =>
    values.get(text.slice(span.start, span.end))?.some((name) => isSameName(name, nameOfPart({ text, path, span }))),
  );
}

/** Returns the short values among `values`, with the names of the members that send them. */
export function namesOfShortValues(values: readonly ReturnedValue[]): ReadonlyMap<string, readonly string[]> {
  const names = new ListMap<string, string>();
  for (const { recorded, isShort, sent } of values) if (isShort) names.add(recorded, `${sent.path.at(-1)}`);
  return names;
}

/** A value that a rule leaves out of a text or number of an answer. */
export interface LeftOutValue {
  text: string;
  path: JsonPath;
  span: Span;
}

/** Returns the values that rules leave out of an answer: whole texts, what expressions match, and that without its fixed text. */
export function leftOutValues(answer: SessionEntry, rules: readonly Ignore[]): LeftOutValue[] {
  if (rules.length === 0) return [];
  const pointers = rules.flatMap((rule) => (typeof rule === 'string' ? [parsePointer(rule)] : []));
  const expressions = ignoredExpressions(rules);
  return [...leavesOf(resultOf(answer.message), ['result'])].flatMap(({ value, path }) => {
    const text = textOf(value);
    if (text === undefined) return [];
    const isWhole = pointers.some((pointer) => isPlace(pointer, path));
    return leftOutParts(text, { isWhole, expressions }).map((span) => ({ text, path, span }));
  });
}

function leftOutParts(text: string, rules: { isWhole: boolean; expressions: readonly LinearRegex[] }): Span[] {
  const parts = rules.expressions.flatMap(({ fixed, matches }) =>
    matches(text).flatMap(({ start, end }) => [
      { start, end },
      { start: start + fixed.start, end: end - fixed.end },
    ]),
  );
  return [...(rules.isWhole ? [{ start: 0, end: text.length }] : []), ...parts];
}

function isPlace(pointer: readonly string[], path: JsonPath): boolean {
  return pointer.length === path.length && pointer.every((step, index) => step === '*' || step === `${path[index]}`);
}
