import { compileLinear, matchesEveryText } from '../../kernel/linear-regex.ts';
import { ignoreInStrings } from '../../match/ignore-rules.ts';
import { differences } from '../../match/json-difference.ts';
import { areTimes, type Part, partsOf, type Shape, shapeOf } from '../../match/volatile-text-parts.ts';
import { placeholderOf, placeholdersIn } from '../../redact/replace/placeholder-format.ts';
import { isDistinctive } from '../../replay/tokens/ids-in-text.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import { BASE64_END, endsOf } from './differing-ends.ts';
import { partsAroundTokens, tokenSource, withPrefixesAsText } from './parts-around-tokens.ts';
import {
  CONTEXT_MAX,
  contextBefore,
  escapeLiteral,
  isEnough,
  literalAfter,
  literalBefore,
  type ProposedPattern,
} from './text-around-values.ts';
import { wholeTextForm } from './whole-text-form.ts';

/** A text in the cassette, and its counterparts in two runs of a live server. */
export interface TextVersions {
  /** Undefined if the cassette lacks the text. */
  recorded: string | undefined;
  first: string;
  second: string;
}

/**
 * Returns the narrowest expressions that make the texts of two runs equal. An expression matches the form of a changed
 * value, and the literal text around it. Dates and times that differ from the cassette only also count as changed.
 * Every returned expression was tried on the texts. Undefined if no expression makes them equal.
 */
export function proposePatterns({ recorded, first, second }: TextVersions): ProposedPattern[] | undefined {
  const versions = alikeParts([first, second], recorded);
  const texts = first === second ? [recorded ?? '', first] : [first, second];
  const candidates = [
    versions && patternsOf(versions),
    ...(first === second ? [] : [patternsOfEnds([first, second])]),
    ...(first === second || recorded === undefined ? [] : [patternsOfEnds([recorded, first])]),
    patternsOfPrefixedId([first, second]),
    ...(first === second ? [] : [patternsOfWholeText([recorded ?? first, first, second])]),
  ].filter((patterns) => patterns !== undefined && isUsable(patterns, texts)) as ProposedPattern[][];
  // Ids of further runs may have other characters, so a pattern that also matches the recorded id is better.
  const hides = (patterns: readonly ProposedPattern[], text: string) =>
    hidesDifference(
      patterns.map(({ source }) => source),
      [...texts, text],
    );
  return candidates.find((patterns) => recorded !== undefined && hides(patterns, recorded)) ?? candidates[0];
}

/** Returns the parts of two texts, and those of a recorded one with the same words. Undefined: the two have other words. */
function alikeParts(texts: readonly [string, string], recorded: string | undefined): Part[][] | undefined {
  const areAlike = (all: readonly Part[][]) => all.every((parts) => isAlike(parts, all[0]!));
  const all = recorded === undefined ? undefined : partsAroundTokens([...texts, recorded]);
  if (all !== undefined && areAlike(all)) return withPrefixesAsText(all);
  const two = partsAroundTokens(texts);
  return areAlike(two) ? withPrefixesAsText(two) : undefined;
}

function isUsable(patterns: readonly ProposedPattern[], texts: readonly string[]): boolean {
  const sources = patterns.map(({ source }) => source);
  if (sources.length === 0 || sources.some((source) => matchesEveryText(compileLinear(source)))) return false;
  return hidesDifference(sources, texts);
}

/** Reports whether the texts are equal apart from the matches of the patterns. */
export function hidesDifference(patterns: readonly string[], texts: readonly string[]): boolean {
  const ignore = patterns.map((pattern) => ignoreInStrings(compileLinear(pattern)));
  const [one, ...others] = texts.map((text) => ignore.reduce<unknown>((rest, part) => part(rest), text));
  return others.every((other) => other === one);
}

/**
 * Returns the first sentence of a hint about failed steps whose differences change in every run, such as dates, times
 * and ids in texts. Undefined if there is no such step.
 */
export function newInEachRunHint(failed: readonly Step[]): string | undefined {
  const found = failed.filter(placesNewInEachRun);
  if (found.length === 0) return undefined;
  const subject = found.length < failed.length ? 'Some of the differences look' : 'The differences look';
  return `${subject} like values that change in each run, such as dates, times and ids. If one should not change, it is a bug.`;
}

/** Returns the places where a message differs, if all differences look like dates, times and ids. */
export function placesNewInEachRun({ recorded, live, changes = [], details = [] }: Step): string[] | undefined {
  // Details describe differences apart from values, such as an HTTP status.
  if (details.length > 0 || changes.some(({ severity }) => severity !== 'cosmetic')) return undefined;
  const found = differences(recorded, live);
  const areNew = found.every(
    ({ recorded: before, live: now }) =>
      typeof before === 'string' &&
      typeof now === 'string' &&
      !differInSecrets(before, now) &&
      looksNewInEachRun(before, now),
  );
  return areNew && found.length > 0 ? found.map(({ path }) => path) : undefined;
}

/** Reports whether two texts have different secrets. Ignore rules must not hide such a difference. */
export function differInSecrets(one: unknown, other: unknown): boolean {
  const secretsOf = (text: unknown) => placeholdersIn(String(text)).map(({ name, n }) => placeholderOf(name, n));
  return secretsOf(one).join() !== secretsOf(other).join();
}

/** Reports whether two texts differ in dates, times and ids that an expression can match, and in nothing else. */
function looksNewInEachRun(recorded: string, live: string): boolean {
  if (proposePatterns({ recorded: undefined, first: recorded, second: live }) === undefined) return false;
  const [one, two] = [partsOf(recorded), partsOf(live)];
  if (!isAlike(one, two)) return endsOf([recorded, live]).values.every(isLongId);
  return one.every(({ text }, index) => {
    const values = [text, two[index]!.text];
    const shape = shapeOf(values);
    return text === values[1] || shape?.isSpecific || shape?.isTime || values.every(isLongId);
  });
}

function isLongId(value: string): boolean {
  return value.length >= 8 && /[a-z]/i.test(value);
}

function isAlike(one: readonly Part[], other: readonly Part[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ kind, text }, index) => {
      const part = other[index]!;
      return part.kind === kind && (kind !== 'literal' || part.text === text);
    })
  );
}

/** A value in the compared texts, and the literal text around it. */
interface Slot {
  left: string;
  right: string;
  /** Whether the text begins with `left`. `isLast`: whether the text ends with `right`. */
  isFirst: boolean;
  isLast: boolean;
  shape: Shape;
  /** Whether the value differs between versions. */
  isChanged: boolean;
}

/**
 * Returns the patterns of changed values. The context in a pattern is literal text, because other values in it may
 * change in the next run. If the literal text is too short, the pattern includes the forms of neighbouring values.
 */
function patternsOf(versions: readonly Part[][]): ProposedPattern[] | undefined {
  const slots = slotsOf(versions);
  if (slots === undefined || slots.some(isCutBase64)) return undefined;
  const changed = slots.filter((slot) => slot !== 'other' && slot.isChanged) as Slot[];
  for (const candidates of [slots.map((slot) => (slot === 'other' || slot.isChanged ? slot : 'other')), slots]) {
    const patterns = inGroups(candidates).map((group) => patternOf(group));
    const distinct = withoutRepeats(patterns.flatMap((pattern) => pattern ?? []));
    if (!patterns.includes(undefined) && distinct.length <= PATTERNS_MAX) return distinct;
  }
  return changed.every(({ shape }) => shape.isSpecific)
    ? withoutRepeats(changed.map(({ shape: { source, isPassing } }) => ({ source, isPassing })))
    : undefined;
}

/** Reports whether a value is base64 before padding. Such a value may have other characters in the next run. */
function isCutBase64(slot: Slot | 'other'): boolean {
  return slot !== 'other' && slot.isChanged && BASE64_END.test(slot.right);
}

/** Returns the values of the texts. `other`: a value that both runs changed alike, perhaps by a server's mistake. */
function slotsOf(versions: readonly Part[][]): (Slot | 'other')[] | undefined {
  const [first = [], second = []] = versions;
  const literalAt = (index: number) => (first[index]?.kind === 'literal' ? first[index].text : '');
  const slots: (Slot | 'other')[] = [];
  for (const [index, { kind, text }] of first.entries()) {
    if (kind === 'literal') continue;
    const values = versions.map((parts) => parts[index]!.text);
    const isChanged = text !== second[index]!.text || (values.some((value) => value !== text) && areTimes(values));
    const [left, right] = [literalAt(index - 1), literalAt(index + 1)];
    const formOf = (some: readonly string[]) => formOfValues(some, right);
    const shape = isChanged ? (formOf(values) ?? formOf(values.slice(0, 2))) : formOf(values);
    if (isChanged && shape === undefined) return undefined;
    const [isFirst, isLast] = [left === (index === 0 ? '' : first[0]!.text) && index <= 1, index + 2 >= first.length];
    const isAlike = isChanged || values.every((value) => value === text);
    if (shape === undefined || !isAlike) slots.push('other');
    else slots.push({ left, right, isFirst, isLast, shape, isChanged });
  }
  return slots;
}

function formOfValues(values: readonly string[], following: string): Shape | undefined {
  const shape = shapeOf(values);
  if (shape !== undefined && shape.source !== '\\w+') return shape;
  const source = tokenSource(values, following);
  return source === undefined ? undefined : { source, isSpecific: false, isTime: false, isPassing: false };
}

function withoutRepeats(patterns: readonly ProposedPattern[]): ProposedPattern[] {
  return [...new Map(patterns.map((pattern) => [pattern.source, pattern])).values()];
}

const PATTERNS_MAX = 3;

/** Groups values around a changed one, because a pattern needs some literal text between its values. */
function inGroups(slots: readonly (Slot | 'other')[]): Slot[][] {
  const groups: Slot[][] = [];
  let group: Slot[] | undefined;
  for (const slot of slots) {
    if (slot === 'other') {
      group = undefined;
      continue;
    }
    const isShort = slot.left.length <= 2 * CONTEXT_MAX && !slot.left.includes('\n');
    const needsMore = group !== undefined && !isEnough(group[0]!.left);
    if (group && (needsMore || !isEnough(slot.left)) && isShort) group.push(slot);
    else {
      group = [slot];
      groups.push(group);
    }
  }
  return groups
    .map((all) => all.slice(0, all.findLastIndex(({ isChanged }) => isChanged) + 1))
    .map(withoutNeedlessFirst)
    .filter(({ length }) => length > 0);
}

/** Returns a group without the unchanged values at its start that it needs no context from, such as a count. */
function withoutNeedlessFirst(group: readonly Slot[]): Slot[] {
  const changed = group.findIndex(({ isChanged }) => isChanged);
  const start = group.slice(0, changed + 1).findLastIndex(({ left }) => isEnough(left));
  return group.slice(Math.max(start, 0));
}

/**
 * Returns the pattern of a value group and the text before the group. If that text is short, text after the group is
 * added.
 */
function patternOf(group: readonly Slot[]): ProposedPattern | undefined {
  const [{ left, isFirst }, last] = [group[0]!, group.at(-1)!];
  const before = literalBefore(left, isFirst);
  const after = isEnough(left) ? '' : literalAfter(last.right, last.isLast);
  const inner = group
    .map(({ left: between, shape }, at) => (at === 0 ? '' : escapeLiteral(between)) + shape.source)
    .join('');
  const isSpecific = group.every(({ shape }) => shape.isSpecific);
  const hasContext = [left, after, ...group.slice(1).map(({ left: between }) => between)].some(isEnough);
  if (!isSpecific && !hasContext) return undefined;
  const isPassing = group.every(({ shape }) => shape.isPassing);
  return {
    source: before.source + inner + after,
    isPassing,
    ...(before.text !== '' && { before: before.text }),
    ...(isSpecific && group.length === 1 && after === '' && { isSpecific }),
  };
}

/** Returns the pattern of an id with hyphens or in base64, or of a value whose parts differ in number. */
function patternsOfEnds(texts: readonly [string, string]): ProposedPattern[] | undefined {
  const { left, values, signs } = endsOf(texts);
  const isId = values.every((value) => value.length <= 64 && (/[\d+=]/.test(value) || isDistinctive(value)));
  if (signs === undefined || !isId) return undefined;
  const before = contextBefore(left);
  return (
    before && [{ source: `${before.source}${signs}+`, isPassing: false, ...(before.text && { before: before.text }) }]
  );
}

/** Returns the pattern of whole texts of one form. */
function patternsOfWholeText(texts: readonly string[]): ProposedPattern[] | undefined {
  const source = wholeTextForm(texts);
  return source === undefined ? undefined : [{ source, isPassing: false }];
}

/** Returns the pattern of a whole text that is an id with a type prefix: `ord_8f3a`. */
function patternsOfPrefixedId([one, two]: readonly [string, string]): ProposedPattern[] | undefined {
  const [prefix = ''] = /^[A-Za-z]{2,}[_-]/.exec(one) ?? [];
  if (prefix === '' || one === two || !two.startsWith(prefix)) return undefined;
  const rests = [one, two].map((text) => text.slice(prefix.length));
  if (!rests.every((rest) => /\d/.test(rest) && /^[\w-]{1,64}$/.test(rest))) return undefined;
  return [{ source: `${prefix}${rests.some((rest) => rest.includes('-')) ? '[\\w-]+' : '\\w+'}`, isPassing: false }];
}
