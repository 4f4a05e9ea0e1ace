import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { Difference } from '../../match/json-difference.ts';
import { TOKEN_SIGNS } from './parts-around-tokens.ts';
import { hidesDifference } from './propose-patterns.ts';
import { escapeLiteral, formOf, type ProposedPattern, sharedContext, withContext } from './text-around-values.ts';

/** A difference with the patterns that hide it. */
export interface Patterned {
  difference: Difference;
  /** Place for a rule that leaves out the whole value. */
  pointer: string;
  patterns: readonly ProposedPattern[];
  /** The event of the cassette that has it. */
  place: { line: number };
}

/**
 * Joins the patterns of texts with equal values after different words: `tea was placed at …` and `milk was placed at
 * …`. Only session-wide patterns are joined.
 */
export function sharedPatterns<T extends Patterned>(all: readonly T[]): T[] {
  const shared: ProposedPattern[] = [];
  for (const { patterns } of all)
    for (const pattern of patterns.filter(({ isPassing }) => isPassing)) {
      const at = shared.findIndex((one) => sharedContext(one, pattern) !== undefined);
      if (at < 0) shared.push(pattern);
      else shared[at] = withContext(pattern, sharedContext(shared[at]!, pattern)!);
    }
  const bare = bareForms(shared);
  const joined = (pattern: ProposedPattern) => {
    const { before } = pattern;
    const isPartOf = (one: ProposedPattern) =>
      one.before !== undefined &&
      before?.endsWith(one.before) &&
      withContext(pattern, one.before).source === one.source;
    if (!pattern.isPassing) return pattern;
    return bare.find(({ source }) => source === formOf(pattern)) ?? shared.find(isPartOf) ?? pattern;
  };
  const joint = all.map(widest(all)).map((one) => {
    const patterns = one.patterns.map(joined);
    return isEnough(one, patterns) ? { ...one, patterns } : one;
  });
  return withoutCovered(joint);
}

/** Returns the differences without the patterns in whose place another one of the session is enough. */
function withoutCovered<T extends Patterned>(all: readonly T[]): T[] {
  const users = new ListMap<string, T>();
  const passing = new Map<string, ProposedPattern>();
  for (const one of all)
    for (const pattern of one.patterns.filter(({ isPassing }) => isPassing)) {
      users.add(pattern.source, one);
      passing.set(pattern.source, pattern);
    }
  if (passing.size > COMPARED_MAX) return [...all];
  const by = new Map<string, ProposedPattern>();
  for (const [source, pattern] of passing) {
    const covers = (other: ProposedPattern) =>
      other !== pattern && !by.has(other.source) && users.get(source)!.every((one) => isEnough(one, put(one, other)));
    const put = (one: T, other: ProposedPattern) =>
      distinct(one.patterns.map((own) => (own === pattern ? other : (by.get(own.source) ?? own))));
    const general = [...passing.values()].find(covers);
    if (general !== undefined) by.set(source, general);
  }
  return all.map((one) => ({ ...one, patterns: distinct(one.patterns.map((own) => by.get(own.source) ?? own)) }));
}

/** Maximum number of patterns that are compared with each other. */
const COMPARED_MAX = 30;

function distinct(patterns: readonly ProposedPattern[]): ProposedPattern[] {
  return [...new Map(patterns.map((pattern) => [pattern.source, pattern])).values()];
}

/** Maximum number of patterns for values of one form, such as the dates of the items of a list. */
const CONTEXTS_MAX = 2;

/** Returns patterns without any text before the value, for the forms that stand after many different texts. */
function bareForms(shared: readonly ProposedPattern[]): ProposedPattern[] {
  const alone = shared.filter(({ isSpecific, before }) => isSpecific && before !== undefined);
  const isFrequent = (one: ProposedPattern) =>
    alone.filter((other) => formOf(other) === formOf(one)).length > CONTEXTS_MAX;
  return alone.filter(isFrequent).map((one) => withContext(one, ''));
}

/**
 * Returns a function that gives a pattern the characters of all tokens after the same text: a token of another page may
 * have characters that this one has by chance not.
 */
function widest<T extends Patterned>(all: readonly T[]): (one: T) => T {
  const byText = new Map<string, number>();
  const rankOf = (pattern: ProposedPattern) => TOKEN_FORMS.indexOf(formOf(pattern));
  for (const pattern of all.flatMap(({ patterns }) => patterns))
    if (pattern.before !== undefined)
      byText.set(pattern.before, Math.max(rankOf(pattern), byText.get(pattern.before) ?? -1));
  return (one) => ({
    ...one,
    patterns: one.patterns.map((pattern) => {
      const rank = byText.get(pattern.before ?? '') ?? -1;
      if (rankOf(pattern) < 0 || rank <= rankOf(pattern)) return pattern;
      return { ...pattern, source: escapeLiteral(pattern.before!) + TOKEN_FORMS[rank] };
    }),
  });
}

const TOKEN_FORMS: readonly string[] = ['\\d+', '[0-9a-fA-F]{8,}', ...TOKEN_SIGNS.map((signs) => `${signs}+`)];

/**
 * Returns the differences with as few patterns for ids as possible beside each event: `ord_\\w+` for an id alone also hides
 * it in a text, so that no second pattern is needed for that.
 */
export function fewestPatterns<T extends Patterned>(all: readonly T[]): T[] {
  const left = new Map(all.map((one) => [one, one]));
  for (const one of all) {
    const beside = all.filter(({ place }) => place.line === one.place.line);
    const ids = beside.flatMap(({ patterns }) => patterns.filter(({ isPassing }) => !isPassing));
    // A UUID needs no text before it, so that one pattern is enough for a UUID alone and for one in a text.
    const bare = ids.filter(({ isSpecific, before }) => isSpecific && before !== undefined);
    const candidates = [...ids, ...bare.map((pattern) => withContext(pattern, ''))];
    const covered = candidates.map((candidate) => beside.filter((other) => isCovered(other, candidate)));
    const most = Math.max(0, ...covered.filter((others) => others.includes(one)).map(({ length }) => length));
    const best = candidates.find((_, index) => covered[index]!.includes(one) && covered[index]!.length === most);
    if (best !== undefined && most > 1) left.set(one, { ...one, patterns: replaced(one.patterns, best) });
  }
  return [...left.values()];
}

function replaced(patterns: readonly ProposedPattern[], by: ProposedPattern): ProposedPattern[] {
  return [by, ...patterns.filter(({ isPassing }) => isPassing)];
}

/** Reports whether the pattern `by` can replace the id patterns of a difference. */
function isCovered(one: Patterned, by: ProposedPattern): boolean {
  const ids = one.patterns.filter(({ isPassing }) => !isPassing);
  if (ids.length === 0) return false;
  return ids.length === 1 && ids[0]!.source === by.source ? true : isEnough(one, replaced(one.patterns, by));
}

function isEnough({ difference: { recorded, live } }: Patterned, patterns: readonly ProposedPattern[]): boolean {
  if (typeof recorded !== 'string' || typeof live !== 'string') return true;
  return hidesDifference(
    patterns.map(({ source }) => source),
    [recorded, live],
  );
}
