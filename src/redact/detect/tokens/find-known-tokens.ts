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
import { discordTokens } from './discord-tokens.ts';
import { formPatterns } from './form-patterns.ts';
import { TOKEN_PATTERNS, type TokenPattern } from './token-patterns.ts';

interface Candidate {
  name: string;
  start: string;
  /** Offset of the trigram in a token. */
  ahead: number;
  gramAt: number;
  sticky: () => RegExp;
  run: RegExp | undefined;
  isLoose: boolean;
}

/** Candidates by trigram. */
const candidates = new Map<string, Candidate[]>();
/** Hint bits by trigram. */
const bits = new Map<string, number>();
for (const kind of [...TOKEN_PATTERNS, ...formPatterns()]) {
  const { name, starts, back, run, hasRun, isLoose = false } = kind;
  const sticky = stickyOf(kind);
  for (const start of starts) {
    const gramAt = rarestGram(start);
    const gram = start.slice(gramAt, gramAt + TRIGRAM);
    const candidate = { name, start, ahead: back + gramAt, gramAt, sticky, run, isLoose };
    candidates.set(gram, [...(candidates.get(gram) ?? []), candidate]);
    bits.set(gram, (bits.get(gram) ?? 0) | (hasRun ? MAY_HOLD.run : MAY_HOLD.pattern));
  }
}

/** Returns a function that makes the pattern when it is first tried: few of the hundreds of kinds are in a session, and each recorder starts. */
function stickyOf(kind: TokenPattern): () => RegExp {
  let sticky: RegExp | undefined;
  return () => {
    if (sticky !== undefined) return sticky;
    const { source, flags } = kind.pattern;
    sticky = new RegExp(source, `${flags}dy`);
    return sticky;
  };
}

/** Marks a trigram of every token pattern. */
export function markTokens(marks: TrigramTable): void {
  for (const [gram, bit] of bits) mark(marks, gram, bit);
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

/** Returns the longest token around the trigram at `at` that begins at or after `from`. */
function tokenAround(text: string, at: number, from: number, failed: FailedRuns): SecretMatch | undefined {
  let longest: SecretMatch | undefined;
  for (const { name, start, ahead, gramAt, sticky, run, isLoose } of candidates.get(text.slice(at, at + TRIGRAM)) ??
    []) {
    const begin = at - ahead;
    if (begin < from || !text.startsWith(start, at - gramAt) || !isWordStart(text, begin)) continue;
    if (run !== undefined && begin < (failed.get(run) ?? 0)) continue;
    const pattern = sticky();
    pattern.lastIndex = begin;
    const match = pattern.exec(text);
    if (match === null && run !== undefined) failed.set(run, endOfRun(text, begin, run));
    if (match === null || isFiller(match[0])) continue;
    if (isLoose && (/[._-]/.test(text.charAt(begin - 1)) || !isLeftToChance(match[0].replace(start, '')))) continue;
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
