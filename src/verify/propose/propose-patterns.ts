import { compileLinear, literalSource, matchesEveryText } from '../../kernel/linear-regex.ts';
import { ignoreInStrings } from '../../match/ignore-rules.ts';
import { differences } from '../../match/json-difference.ts';
import { areTimes, type Part, partsOf, type Shape, shapeOf } from '../../match/volatile-text-parts.ts';
import { placeholderOf, placeholdersIn } from '../../redact/replace/placeholders.ts';
import type { Step } from '../../text-report/outcome-model.ts';

/** One text in the cassette and in two runs of a live server. */
export interface TextVersions {
  /** Undefined: the cassette has no such text. */
  recorded: string | undefined;
  first: string;
  second: string;
}

/** An expression for values that differ. */
export interface ProposedPattern {
  source: string;
  /** Whether all of its values are dates, times and durations, by which no later message names anything. */
  isPassing: boolean;
}

/**
 * Returns the narrowest regular expressions that make the texts of two runs equal: the forms of the values that differ,
 * with the literal text around them. A date or time that differs only from the cassette counts, too. Each expression
 * was applied to the texts. Undefined: the texts differ in something else, so that no expression helps.
 */
export function proposePatterns({ recorded, first, second }: TextVersions): ProposedPattern[] | undefined {
  const [one, two] = [partsOf(first), partsOf(second)];
  const before = recorded === undefined ? undefined : partsOf(recorded);
  const versions = [one, two, ...(before && isAlike(before, one) ? [before] : [])];
  const patterns =
    (isAlike(one, two) ? patternsOf(versions) : patternsOfEnds([first, second])) ??
    patternsOfPrefixedId([first, second]);
  if (patterns === undefined || patterns.length === 0) return undefined;
  const sources = patterns.map(({ source }) => source);
  if (!sources.every((source) => !matchesEveryText(compileLinear(source)))) return undefined;
  return hidesDifference(sources, first === second ? [recorded ?? '', first] : [first, second]) ? patterns : undefined;
}

/** Reports whether the texts are equal without what the patterns match. */
export function hidesDifference(patterns: readonly string[], texts: readonly string[]): boolean {
  const ignore = patterns.map((pattern) => ignoreInStrings(compileLinear(pattern)));
  const [one, ...others] = texts.map((text) => ignore.reduce<unknown>((rest, part) => part(rest), text));
  return others.every((other) => other === one);
}

/**
 * Returns the beginning of a hint if failed steps differ only in what looks new in each run: dates, times, UUIDs and ids
 * in texts, which expressions make equal. Undefined: no step does.
 */
export function newInEachRunHint(failed: readonly Step[]): string | undefined {
  const found = failed.filter(isNewInEachRun);
  if (found.length === 0) return undefined;
  const subject = found.length < failed.length ? 'Some of the differences look' : 'The differences look';
  return `${subject} like values that change in each run, such as dates, times and ids.`;
}

function isNewInEachRun({ recorded, live, changes = [], details = [] }: Step): boolean {
  // Details are about something that differs beside the values, such as an HTTP status.
  if (details.length > 0 || changes.some(({ severity }) => severity !== 'cosmetic')) return false;
  const found = differences(recorded, live);
  return (
    found.length > 0 &&
    found.every(
      ({ recorded: before, live: now }) =>
        typeof before === 'string' &&
        typeof now === 'string' &&
        !differInSecrets(before, now) &&
        looksNewInEachRun(before, now),
    )
  );
}

/** Reports whether a text has another secret than the other one, or has none. No rule may hide that. */
export function differInSecrets(one: unknown, other: unknown): boolean {
  const secretsOf = (text: unknown) => placeholdersIn(String(text)).map(({ name, n }) => placeholderOf(name, n));
  return secretsOf(one).join() !== secretsOf(other).join();
}

/** Reports whether an expression makes two texts equal that hides dates, times and ids only, and no count or price. */
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

/** A value that differs, and the literal text since the one before. */
interface Slot {
  left: string;
  shape: Shape;
}

function patternsOf(versions: readonly Part[][]): ProposedPattern[] | undefined {
  const [first = [], second = []] = versions;
  const slots: Slot[] = [];
  let left = '';
  for (const [index, { text }] of first.entries()) {
    const values = versions.map((parts) => parts[index]!.text);
    const isChanged = text !== second[index]!.text || (values.some((value) => value !== text) && areTimes(values));
    if (!isChanged) {
      // A value that differs from the cassette only may be a mistake of the server, and stays out of the pattern.
      left = values.every((value) => value === text) ? left + text : '';
      continue;
    }
    const shape = shapeOf(values) ?? shapeOf(values.slice(0, 2));
    if (shape === undefined) return undefined;
    slots.push({ left, shape });
    left = '';
  }
  const patterns = inGroups(slots).map((group, index, all) => {
    const source = patternOf(group, index, all, left);
    return source === undefined ? [] : [{ source, isPassing: group.every(({ shape }) => shape.isPassing) }];
  });
  const distinct = withoutRepeats(patterns.flat());
  if (patterns.every(({ length }) => length > 0) && distinct.length <= PATTERNS_MAX) return distinct;
  return slots.every(({ shape }) => shape.isSpecific) ? withoutRepeats(slots.map(({ shape }) => shape)) : undefined;
}

function withoutRepeats(patterns: readonly ProposedPattern[]): ProposedPattern[] {
  return [...new Map(patterns.map(({ source, isPassing }) => [source, { source, isPassing }])).values()];
}

const PATTERNS_MAX = 3;

/** Joins values with little text between them, since a pattern needs some literal text. */
function inGroups(slots: readonly Slot[]): Slot[][] {
  const groups: Slot[][] = [];
  for (const slot of slots) {
    const group = groups.at(-1);
    const isShort = slot.left.length <= 2 * CONTEXT_MAX && !slot.left.includes('\n');
    const needsMore = group !== undefined && !isEnough(group[0]!.left);
    if (group && (needsMore || !isEnough(slot.left)) && isShort) group.push(slot);
    else groups.push([slot]);
  }
  return groups;
}

/** Maximum length of the literal text on one side of a pattern. */
const CONTEXT_MAX = 24;
const isEnough = (literal: string): boolean => /[\p{L}_].*[\p{L}_]/su.test(inLine(literal));
const lineOf = (literal: string): string => literal.slice(literal.lastIndexOf('\n') + 1);
const inLine = (literal: string): string => lineOf(literal).slice(-CONTEXT_MAX);

/** Returns the pattern of values with the text before them, and after them where that is not enough. */
function patternOf(group: readonly Slot[], index: number, all: readonly Slot[][], rest: string): string | undefined {
  const [{ left } = { left: '' }] = group;
  const before = literalBefore(left, index === 0);
  const after = isEnough(left) ? '' : literalAfter(all[index + 1]?.[0]?.left ?? rest, index === all.length - 1);
  const inner = group
    .map(({ left: between, shape }, at) => (at === 0 ? '' : escapeLiteral(between)) + shape.source)
    .join('');
  const isSpecific = group.every(({ shape }) => shape.isSpecific);
  const hasContext = [left, after, ...group.slice(1).map(({ left: between }) => between)].some(isEnough);
  return isSpecific || hasContext ? before + inner + after : undefined;
}

function literalBefore(literal: string, isFirst: boolean): string {
  const line = inLine(literal);
  if (line === literal) return (isFirst && !isEnough(literal) ? '^' : '') + escapeLiteral(line);
  if (line === lineOf(literal)) return escapeLiteral(line);
  // Cut at the beginning of a word.
  return escapeLiteral(line.replace(/^[\p{L}\p{N}]+(?=[^\p{L}\p{N}])/u, '').trimStart());
}

function literalAfter(literal: string, isLast: boolean): string {
  const [line = ''] = literal.split('\n');
  if (line.length <= CONTEXT_MAX) return escapeLiteral(line) + (isLast && line === literal ? '$' : '');
  return escapeLiteral(line.slice(0, CONTEXT_MAX).replace(/\s[^\s]*$/, ''));
}

/** Returns the pattern of an id with hyphens, or of a value whose parts differ in number. */
function patternsOfEnds(texts: readonly [string, string]): ProposedPattern[] | undefined {
  const { left, values } = endsOf(texts);
  const isId = values.every((value) => /^[\w-]{1,64}$/.test(value) && /\d/.test(value));
  if (!isId || !isEnough(left)) return undefined;
  return [{ source: `${literalBefore(left, true)}[\\w-]+`, isPassing: false }];
}

/** Returns the pattern of an id that is a whole text and begins with the name of its kind: `ord_8f3a`. */
function patternsOfPrefixedId([one, two]: readonly [string, string]): ProposedPattern[] | undefined {
  const [prefix = ''] = /^[A-Za-z]{2,}[_-]/.exec(one) ?? [];
  if (prefix === '' || one === two || !two.startsWith(prefix)) return undefined;
  const rests = [one, two].map((text) => text.slice(prefix.length));
  if (!rests.every((rest) => /\d/.test(rest) && /^[\w-]{1,64}$/.test(rest))) return undefined;
  return [{ source: `${prefix}${rests.some((rest) => rest.includes('-')) ? '[\\w-]+' : '\\w+'}`, isPassing: false }];
}

/** Returns the text before the first difference of two texts, and the words from there to their last difference. */
function endsOf(texts: readonly [string, string]): { left: string; values: string[] } {
  const [one, two] = texts;
  let start = 0;
  while (start < one.length && one[start] === two[start]) start++;
  while (start > 0 && /[\w-]/.test(one[start - 1]!)) start--;
  let end = 0;
  while (end < Math.min(one.length, two.length) - start && one.at(-1 - end) === two.at(-1 - end)) end++;
  while (end > 0 && /[\w-]/.test(one.at(-end)!)) end--;
  return { left: one.slice(0, start), values: texts.map((text) => text.slice(start, text.length - end)) };
}

function escapeLiteral(literal: string): string {
  return literalSource(literal).replaceAll('\n', '\\n');
}
