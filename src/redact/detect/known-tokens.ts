import { firstLook, GRAM, MAY_HOLD, type Marks, mark, type Seen } from '../fast-prefilter/trigram-scan.ts';
import { type Find, secretOf } from '../replace/secret-match.ts';
import { TOKEN_PATTERNS } from './token-patterns.ts';
import { beginsWord } from './word-boundaries.ts';

interface Candidate {
  name: string;
  start: string;
  /** How far the gram that leads here stands behind the token's first character. */
  ahead: number;
  gramAt: number;
  pattern: RegExp;
}

/** What may stand around a gram. */
const candidates = new Map<string, Candidate[]>();
for (const { name, starts, back, pattern } of TOKEN_PATTERNS) {
  const sticky = new RegExp(pattern.source, `${pattern.flags}dy`);
  for (const start of starts) {
    const gramAt = rarestGram(start);
    const gram = start.slice(gramAt, gramAt + GRAM);
    const candidate = { name, start, ahead: back + gramAt, gramAt, pattern: sticky };
    candidates.set(gram, [...(candidates.get(gram) ?? []), candidate]);
  }
}

/** Letters alone are part of many words, dashes alone of many lines: a gram with both in it is met less often. */
function rarestGram(start: string): number {
  const letters = start.search(/[^A-Za-z]/);
  const others = start.search(/[A-Za-z]/);
  const at = letters === 0 ? others - 1 : letters - GRAM + 1;
  return Math.max(0, Math.min(at, start.length - GRAM));
}

/** Marks what every token pattern begins with. */
export function markTokens(marks: Marks): void {
  for (const gram of candidates.keys()) mark(marks, gram, MAY_HOLD.pattern);
}

/** The secrets in `text` that their looks give away, first to last. */
export function knownTokens(text: string, marks: Marks, seen: Seen = firstLook(text, marks)): Find[] {
  const finds: Find[] = [];
  let searched = 0;
  for (const end of seen.ends(MAY_HOLD.pattern)) {
    const found = tokenAround(text, end - GRAM, searched);
    if (found === undefined) continue;
    finds.push(found);
    searched = found.end;
  }
  return finds;
}

/** The token in which the gram at `at` stands, if it begins no earlier than `from`. */
function tokenAround(text: string, at: number, from: number): Find | undefined {
  for (const { name, start, ahead, gramAt, pattern } of candidates.get(text.slice(at, at + GRAM)) ?? []) {
    const begin = at - ahead;
    if (begin < from || !text.startsWith(start, at - gramAt) || !isWordStart(text, begin)) continue;
    pattern.lastIndex = begin;
    const match = pattern.exec(text);
    if (match !== null) return { name, ...secretOf(match) };
  }
  return undefined;
}

/** A token that begins with a letter or digit does not begin in the middle of a word. */
function isWordStart(text: string, at: number): boolean {
  return /[^A-Za-z0-9]/.test(text.charAt(at)) || beginsWord(text, at);
}
