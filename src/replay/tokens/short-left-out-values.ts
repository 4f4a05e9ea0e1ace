import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { type Ignore, ignoredExpressions, parsePointer, rulesAsWritten } from '../../match/ignore-rules.ts';
import type { JsonPath, Span } from '../../protocol/json-scan.ts';
import { isRequest, resultOf } from '../../protocol/message.ts';
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

/** Returns the rewriter for the values that answers of a plan return and later requests send, short ones included. */
export function returnedValueRewriter(
  { entries, links }: Pick<ReplayPlan, 'entries' | 'links'>,
  options: LiveValuesOptions & { ignore: readonly Ignore[] },
): ReturnedValueRewriter {
  const short = shortLeftOutValues(entries, links, options.ignore);
  return new ReturnedValueRewriter([...returnedValues(entries, links), ...short], options);
}

/**
 * Finds the values that are too short to look like ids, such as `c14`, that a rule leaves out of an answer, and that a
 * later request sends as a whole. A number or a word counts only if the request has it under the same name.
 */
export function shortLeftOutValues(
  entries: readonly SessionEntry[],
  { requestOf }: Pick<Links, 'requestOf'>,
  ignore: readonly Ignore[],
): ReturnedValue[] {
  const returned = new Map<string, ValuePlace>();
  const own = new Set<string>();
  const found: ReturnedValue[] = [];
  for (const entry of entries) {
    for (const { text, path } of sentTexts(entry)) {
      const place = returned.get(text);
      if (place === undefined) own.add(text);
      else if (isMixed(text) || hasSameName(place.path, path))
        found.push({ recorded: text, returned: place, sent: { entry: entry.index, path }, isShort: true });
    }
    const request = entries[requestOf.get(entry.index) ?? -1];
    if (entry.from !== 'server' || !isRequest(request?.message) || !RETURNING.has(request.message.method)) continue;
    for (const { text, span, path } of leftOutValues(entry, [...ignore, ...ownRules(request), ...ownRules(entry)])) {
      const value = text.slice(span.start, span.end);
      if (value === '' || isLikelyId(value) || own.has(value) || returned.has(value)) continue;
      returned.set(value, { entry: entry.index, path, ...(value !== text && { span }) });
    }
  }
  return found;
}

const ownRules = ({ match }: SessionEntry): readonly Ignore[] => rulesAsWritten(match?.ignore ?? []);

/** Reports whether a value has letters and digits: hardly a word, a count or a limit. */
function isMixed(value: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w-]+$/.test(value);
}

/** Reports whether the name of one member ends with that of the other: `id` and `cartId`. */
function hasSameName(one: JsonPath, other: JsonPath): boolean {
  const [a, b] = [one, other].map((path) => `${path.at(-1)}`.toLowerCase());
  return a!.endsWith(b!) || b!.endsWith(a!);
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
    const parts = expressions.flatMap(({ fixed, matches }) =>
      matches(text).flatMap(({ start, end }) => [
        { start, end },
        { start: start + fixed.start, end: end - fixed.end },
      ]),
    );
    return [...(isWhole ? [{ start: 0, end: text.length }] : []), ...parts].map((span) => ({ text, path, span }));
  });
}

function isPlace(pointer: readonly string[], path: JsonPath): boolean {
  return pointer.length === path.length && pointer.every((step, index) => step === '*' || step === `${path[index]}`);
}
