import {
  MAY_HOLD,
  mark,
  type ScanResult,
  scanText,
  TRIGRAM,
  type TrigramTable,
} from '../fast-prefilter/trigram-scan.ts';
import { type SecretMatch, secretOf } from '../replace/secret-match.ts';
import { TOKEN_PATTERNS } from './token-patterns.ts';
import { beginsWord } from './word-edges-in-text.ts';

interface Candidate {
  name: string;
  start: string;
  /** How far the gram that leads here stands behind the token's first character. */
  ahead: number;
  gramAt: number;
  pattern: RegExp;
  run: RegExp | undefined;
}

/** What may stand around a gram. */
const candidates = new Map<string, Candidate[]>();
for (const { name, starts, back, pattern, run } of TOKEN_PATTERNS) {
  const sticky = new RegExp(pattern.source, `${pattern.flags}dy`);
  for (const start of starts) {
    const gramAt = rarestGram(start);
    const gram = start.slice(gramAt, gramAt + TRIGRAM);
    const candidate = { name, start, ahead: back + gramAt, gramAt, pattern: sticky, run };
    candidates.set(gram, [...(candidates.get(gram) ?? []), candidate]);
  }
}

/** Letters alone are part of many words, dashes alone of many lines: a gram with both in it is met less often. */
function rarestGram(start: string): number {
  const letters = start.search(/[^A-Za-z]/);
  const others = start.search(/[A-Za-z]/);
  const at = letters === 0 ? others - 1 : letters - TRIGRAM + 1;
  return Math.max(0, Math.min(at, start.length - TRIGRAM));
}

/** Marks what every token pattern begins with. */
export function markTokens(marks: TrigramTable): void {
  for (const gram of candidates.keys()) mark(marks, gram, MAY_HOLD.pattern);
}

/** The secrets in `text` that their looks give away, first to last. */
export function knownTokens(
  text: string,
  marks: TrigramTable,
  seen: ScanResult = scanText(text, marks),
): SecretMatch[] {
  const finds: SecretMatch[] = [];
  let searched = 0;
  const failed: FailedRuns = new Map();
  for (const end of seen.ends(MAY_HOLD.pattern)) {
    const found = tokenAround(text, end - TRIGRAM, searched, failed);
    if (found === undefined) continue;
    finds.push(found);
    searched = found.end;
  }
  return finds;
}

/** Where the last run ends in which a pattern has failed. */
type FailedRuns = Map<RegExp, number>;

/** The token in which the gram at `at` stands, if it begins no earlier than `from`. */
function tokenAround(text: string, at: number, from: number, failed: FailedRuns): SecretMatch | undefined {
  for (const { name, start, ahead, gramAt, pattern, run } of candidates.get(text.slice(at, at + TRIGRAM)) ?? []) {
    const begin = at - ahead;
    if (begin < from || !text.startsWith(start, at - gramAt) || !isWordStart(text, begin)) continue;
    if (run !== undefined && begin < (failed.get(run) ?? 0)) continue;
    pattern.lastIndex = begin;
    const match = pattern.exec(text);
    if (match !== null) return { name, ...secretOf(match) };
    if (run !== undefined) failed.set(run, endOfRun(text, begin, run));
  }
  return undefined;
}

function endOfRun(text: string, begin: number, run: RegExp): number {
  run.lastIndex = begin;
  return begin + (run.exec(text)?.[0].length ?? 0);
}

/** Whether a token can begin at `at`: not inside a word, if its first character is a letter or digit. */
function isWordStart(text: string, at: number): boolean {
  return /[^A-Za-z0-9]/.test(text.charAt(at)) || beginsWord(text, at);
}
