import type { Difference } from '../../match/json-difference.ts';
import { hidesDifference } from './propose-patterns.ts';
import { type ProposedPattern, sharedContext, withContext } from './text-around-values.ts';

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
  const joined = (pattern: ProposedPattern) => {
    const { before } = pattern;
    const isPartOf = (one: ProposedPattern) =>
      one.before !== undefined &&
      before?.endsWith(one.before) &&
      withContext(pattern, one.before).source === one.source;
    return pattern.isPassing ? (shared.find(isPartOf) ?? pattern) : pattern;
  };
  return all.map((one) => {
    const patterns = one.patterns.map(joined);
    return isEnough(one, patterns) ? { ...one, patterns } : one;
  });
}

/**
 * Returns the differences with as few patterns for ids as possible beside each event: `ord_\\w+` for an id alone also hides
 * it in a text, so that no second pattern is needed for that.
 */
export function fewestPatterns<T extends Patterned>(all: readonly T[]): T[] {
  const left = new Map(all.map((one) => [one, one]));
  for (const one of all) {
    const beside = all.filter(({ place }) => place.line === one.place.line);
    const candidates = beside.flatMap(({ patterns }) => patterns.filter(({ isPassing }) => !isPassing));
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
