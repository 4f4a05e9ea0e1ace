import { rarestGram } from '../../fast-prefilter/rarest-gram.ts';
import {
  MAY_HOLD,
  MAY_HOLD_TOKEN,
  mark,
  type ScanResult,
  scanText,
  TRIGRAM,
  type TrigramTable,
} from '../../fast-prefilter/trigram-scan.ts';
import { type SecretMatch, secretOf } from '../../replace/secret-match.ts';
import { isFiller, isLeftToChance } from '../plausibility.ts';
import { beginsWord } from '../word-edges-in-text.ts';
import { compileTokenForms } from './compile-token-forms.ts';
import { discordTokens } from './discord-tokens.ts';
import { PATTERN_GRAMS, RUN_GRAMS } from './token-pattern-trigrams.ts';
import { TOKEN_PATTERNS, type TokenPattern } from './token-patterns.ts';

interface Candidate {
  name: string;
  start: string;
  gram: string;
  /** Offset of the trigram in a token. */
  ahead: number;
  gramAt: number;
  sticky: () => RegExp;
  run: RegExp | undefined;
  hasRun: boolean;
  isLoose: boolean;
}

const GRAMS_WITH_RUN = RUN_GRAMS.split(' ');
const OTHER_GRAMS = PATTERN_GRAMS.split(' ');
const GRAMS: ReadonlySet<string> = new Set([...GRAMS_WITH_RUN, ...OTHER_GRAMS]);
/** Candidates by trigram. Built when a text has one of the trigrams, because most sessions have none. */
let byGram: ReadonlyMap<string, readonly Candidate[]> | undefined;

function candidatesOf(gram: string): readonly Candidate[] {
  // The table of marks folds characters, so other trigrams may be marked, too.
  if (!GRAMS.has(gram)) return [];
  byGram ??= groupedByGram();
  return byGram.get(gram) ?? [];
}

function groupedByGram(): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of allCandidates()) {
    const group = groups.get(candidate.gram);
    if (group === undefined) groups.set(candidate.gram, [candidate]);
    else group.push(candidate);
  }
  return groups;
}

function allCandidates(): Candidate[] {
  return [...TOKEN_PATTERNS, ...compileTokenForms()].flatMap((kind) => {
    const { name, starts, back, run, hasRun = false, isLoose = false } = kind;
    const sticky = stickyOf(kind);
    return starts.map((start) => {
      const gramAt = rarestGram(start);
      const gram = start.slice(gramAt, gramAt + TRIGRAM);
      return { name, start, gram, ahead: back + gramAt, gramAt, sticky, run, hasRun, isLoose };
    });
  });
}

/** Returns the trigrams of token patterns with a base64 run, and the trigrams of all other patterns. */
export function gramsOfPatterns(): { run: string[]; pattern: string[] } {
  const gramsOf = (isWanted: boolean) =>
    [...new Set(allCandidates().flatMap(({ gram, hasRun }) => (hasRun === isWanted ? [gram] : [])))].sort();
  return { run: gramsOf(true), pattern: gramsOf(false) };
}

/**
 * Returns a function that compiles the pattern on first use, because a session contains few of the hundreds of token
 * kinds.
 */
function stickyOf(kind: TokenPattern): () => RegExp {
  let sticky: RegExp | undefined;
  return () => {
    if (sticky !== undefined) return sticky;
    const { source, flags } = kind.pattern;
    sticky = new RegExp(withoutCounters(source), `${flags}dy`);
    return sticky;
  };
}

/**
 * Replaces `[a-z]{9,}` by the equivalent `[a-z]{9}[a-z]*` in an expression. V8 counts the repetitions of the former,
 * with state for each character, and overflows its stack after some millions.
 */
function withoutCounters(source: string): string {
  return source.replace(/(\[(?:[^\]\\]|\\.)*\]|\\[dsw])\{(\d+),\}/g, '$1{$2}$1*');
}

/** Marks a trigram of every token pattern. */
export function markTokens(marks: TrigramTable): void {
  for (const gram of GRAMS_WITH_RUN) mark(marks, gram, MAY_HOLD.run);
  for (const gram of OTHER_GRAMS) mark(marks, gram, MAY_HOLD.pattern);
}

/** Finds secrets in `text` by their format, in order. */
export function findKnownTokens(
  text: string,
  marks: TrigramTable,
  seen: ScanResult = scanText(text, marks),
): SecretMatch[] {
  const finds: SecretMatch[] = [];
  let searched = 0;
  const failed: FailedRuns = new Map();
  for (const end of seen.ends(MAY_HOLD_TOKEN)) {
    const found = tokenAround(text, end - TRIGRAM, searched, failed);
    if (found === undefined) continue;
    finds.push(found);
    searched = found.end;
  }
  if (!(seen.bits & MAY_HOLD.base64)) return finds;
  const others = discordTokens(text);
  return others.length === 0 ? finds : [...finds, ...others].sort((a, b) => a.start - b.start);
}

/** Pattern → end of the last run in which the pattern failed. */
type FailedRuns = Map<RegExp, number>;

/** Returns the longest token around the trigram at `at`. Tokens that begin before `from` are ignored. */
function tokenAround(text: string, at: number, from: number, failed: FailedRuns): SecretMatch | undefined {
  let longest: SecretMatch | undefined;
  for (const { name, start, ahead, gramAt, sticky, run, isLoose } of candidatesOf(text.slice(at, at + TRIGRAM))) {
    const begin = at - ahead;
    if (begin < from || !text.startsWith(start, at - gramAt) || !isWordStart(text, begin)) continue;
    if (run !== undefined && begin < (failed.get(run) ?? 0)) continue;
    if (isLoose && /[._-]/.test(text.charAt(begin - 1))) continue;
    const pattern = sticky();
    pattern.lastIndex = begin;
    const match = pattern.exec(text);
    if (match === null && run !== undefined) failed.set(run, endOfRun(text, begin, run));
    if (match === null || isFiller(match[0])) continue;
    if (isLoose && !isLeftToChance(match[0].replace(start, ''))) continue;
    if (longest === undefined || pattern.lastIndex > longest.end) longest = { name, ...secretOf(match) };
  }
  return longest;
}

function endOfRun(text: string, begin: number, run: RegExp): number {
  run.lastIndex = begin;
  return begin + (run.exec(text)?.[0].length ?? 0);
}

/** Reports whether a token can begin at `at`. A letter or digit must not continue a word. */
function isWordStart(text: string, at: number): boolean {
  return /[^A-Za-z0-9]/.test(text.charAt(at)) || beginsWord(text, at);
}
