import type { LinearRegex } from '../../kernel/linear-regex.ts';
import { firstWhere } from '../../kernel/queue-and-binary-search.ts';
import { type Part, partsOf } from '../../match/volatile-text-parts.ts';
import type { Span } from '../../protocol/json-scan.ts';

/** A recorded text and its live counterpart. */
export interface TextPair {
  recorded: string;
  live: string;
  /**
   * Ignored expressions. A value inside a match of the recorded text has its counterpart in the same match of the live
   * text.
   */
  patterns?: readonly LinearRegex[];
}

/**
 * Returns the live counterparts of values in a recorded text, in the order of `spans`. Undefined for a value whose
 * surrounding text differs.
 */
export function valuesInPlaces(
  spans: readonly Span[],
  { recorded, live, patterns = [] }: TextPair,
): (string | undefined)[] {
  if (recorded === live) return spans.map((span) => sliceOf(recorded, span));
  const isWhole = ({ start, end }: Span) => end - start === recorded.length;
  if (spans.every(isWhole)) return spans.map(() => wholeValue(live));
  const [matches, lives] = [matchesIn(recorded, patterns), matchesIn(live, patterns)];
  const isSame = matches.length > 0 && isSameAround({ text: recorded, matches }, { text: live, matches: lives });
  const known = spans.map((span) => {
    if (isWhole(span)) return wholeValue(live);
    const at = isSame ? indexOfMatch(span, matches) : -1;
    return at < 0 ? undefined : inMatch(recorded, { span, match: matches[at]! }, sliceOf(live, lives[at]!));
  });
  const left = spans.filter((span, index) => known[index] === undefined && !isWhole(span));
  if (left.length === 0) return known;
  const aligned = alignedSpans(recorded, withApart(apart(left), matches), live);
  return spans.map((span, index) => known[index] ?? (isWhole(span) ? undefined : inAligned(recorded, span, aligned)));
}

function wholeValue(live: string): string | undefined {
  return /^\S+$/.test(live) ? live : undefined;
}

/** Reports whether a span is inside one of the matches, which are sorted and do not overlap. */
export function isMatched(span: Span, matches: readonly Span[]): boolean {
  return indexOfMatch(span, matches) >= 0;
}

function indexOfMatch(span: Span, matches: readonly Span[]): number {
  const after = firstWhere(matches.length, (index) => matches[index]!.start > span.start);
  return after > 0 && span.end <= matches[after - 1]!.end ? after - 1 : -1;
}

/** Returns the matches of expressions in a text, from left to right. Of overlapping matches the first one is kept. */
export function matchesIn(text: string, patterns: readonly LinearRegex[]): Span[] {
  return apart(patterns.flatMap((pattern) => pattern.matches(text)).filter(({ start, end }) => end > start));
}

/**
 * Returns spans from left to right, without those that overlap an earlier one. Of two spans with the same start, the
 * longer one is kept.
 */
function apart(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}

/** Adds to `spans` those of `others` that overlap none of `spans`. The `spans` must not overlap each other. */
function withApart(spans: readonly Span[], others: readonly Span[]): Span[] {
  const isFree = ({ start, end }: Span) => {
    const after = firstWhere(spans.length, (index) => spans[index]!.end > start);
    return after === spans.length || spans[after]!.start >= end;
  };
  return [...spans, ...others.filter(isFree)].sort((a, b) => a.start - b.start);
}

function sliceOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

interface MatchedText {
  text: string;
  matches: readonly Span[];
}

/** Reports whether two texts have the same number of matches, and the same literal text around them. */
function isSameAround(one: MatchedText, other: MatchedText): boolean {
  return one.matches.length === other.matches.length && frameOf(one) === frameOf(other);
}

function frameOf({ text, matches }: MatchedText): string {
  const starts = [0, ...matches.map(({ end }) => end)];
  const ends = [...matches.map(({ start }) => start), text.length];
  const gaps = starts.map((start, index) => partsOf(text.slice(start, ends[index])));
  return JSON.stringify(gaps.map((parts) => parts.map(({ kind, text }) => (kind === 'literal' ? text : null))));
}

function inMatch(text: string, { span, match }: { span: Span; match: Span }, live: string): string | undefined {
  const [before, after] = [text.slice(match.start, span.start), text.slice(span.end, match.end)];
  const isFramed = live.length > before.length + after.length && live.startsWith(before) && live.endsWith(after);
  if (isFramed) return asValue(live.slice(before.length, live.length - after.length), sliceOf(text, span));
  return inText(sliceOf(text, match), { start: span.start - match.start, end: span.end - match.start }, live);
}

/** A span of a recorded text, with its live counterpart. */
type AlignedSpan = Span & { live: string };

/** Returns the spans with their live counterparts, from left to right. Empty if the text around the spans differs. */
function alignedSpans(recorded: string, spans: readonly Span[], live: string): AlignedSpan[] {
  const parts: Part[] = [];
  const at: number[] = [];
  let done = 0;
  for (const span of spans) {
    parts.push(...partsOf(recorded.slice(done, span.start)));
    at.push(parts.length);
    parts.push({ kind: 'value', text: sliceOf(recorded, span) });
    done = span.end;
  }
  parts.push(...partsOf(recorded.slice(done)));
  const lives = liveParts(parts, live);
  return lives === undefined ? [] : spans.map((span, index) => ({ ...span, live: lives[at[index]!]! }));
}

function inAligned(recorded: string, span: Span, aligned: readonly AlignedSpan[]): string | undefined {
  const after = firstWhere(aligned.length, (index) => aligned[index]!.start > span.start);
  const around = aligned[after - 1];
  if (around === undefined || around.end < span.end) return undefined;
  if (around.start === span.start && around.end === span.end) return asValue(around.live, sliceOf(recorded, span));
  const inside = { start: span.start - around.start, end: span.end - around.start };
  return inText(sliceOf(recorded, around), inside, around.live);
}

function inText(recorded: string, span: Span, live: string): string | undefined {
  const [found] = alignedSpans(recorded, [span], live);
  return found === undefined ? undefined : asValue(found.live, sliceOf(recorded, span));
}

/** Returns the live counterpart of the part with index `wanted`, if both texts have the same literal parts. */
export function partInPlaceOf(parts: readonly Part[], wanted: number, live: string): string | undefined {
  const found = liveParts(parts, live)?.[wanted];
  return found === undefined ? undefined : asValue(found, parts[wanted]!.text);
}

/**
 * Returns the live text of each part. Undefined if a literal part is missing, or if two values are not separated by
 * literal text.
 */
function liveParts(parts: readonly Part[], live: string): string[] | undefined {
  const lives: string[] = [];
  let at = 0;
  for (const [index, { kind, text }] of parts.entries()) {
    if (kind === 'literal') {
      if (!live.startsWith(text, at)) return undefined;
      lives.push(text);
      at += text.length;
      continue;
    }
    const next = parts[index + 1];
    const end = next === undefined ? live.length : live.indexOf(next.text, at);
    if (end < 0 || (next !== undefined && next.kind !== 'literal')) return undefined;
    lives.push(live.slice(at, end));
    at = end;
  }
  return lives;
}

/** Returns `live` if its characters are usual in ids or occur in the recorded value. */
function asValue(live: string, recorded: string): string | undefined {
  const isValue = live !== '' && [...live].every((one) => /[\w.:+/=~-]/.test(one) || recorded.includes(one));
  return isValue && !/\s/.test(live) ? live : undefined;
}
