import { beginsWord } from './boundary.ts';
import { type Find, secretOf } from './find.ts';
import { GRAM, gramsIn, MAY_HOLD, type Marks, mark } from './survey.ts';
import { TOKEN_PATTERNS } from './token-patterns.ts';

interface Candidate {
  name: string;
  start: string;
  back: number;
  pattern: RegExp;
}

/** What may begin after a gram has passed. */
const candidates = new Map<string, Candidate[]>();
for (const { name, starts, back, pattern } of TOKEN_PATTERNS) {
  const sticky = new RegExp(pattern.source, `${pattern.flags}dy`);
  for (const start of starts) {
    const gram = start.slice(0, GRAM);
    const candidate = { name, start, back, pattern: sticky };
    candidates.set(gram, [...(candidates.get(gram) ?? []), candidate]);
  }
}

/** Marks what every token pattern begins with. */
export function markTokens(marks: Marks): void {
  for (const gram of candidates.keys()) mark(marks, gram, MAY_HOLD.pattern);
}

/** The secrets in `text` that their looks give away, first to last. */
export function knownTokens(text: string, marks: Marks): Find[] {
  const finds: Find[] = [];
  let searched = 0;
  for (const at of gramsIn(text, marks, MAY_HOLD.pattern)) {
    const start = at - GRAM;
    if (start < searched) continue;
    const found = tokenAt(text, start);
    if (found === undefined) continue;
    finds.push(found);
    searched = found.end;
  }
  return finds;
}

function tokenAt(text: string, at: number): Find | undefined {
  for (const { name, start, back, pattern } of candidates.get(text.slice(at, at + GRAM)) ?? []) {
    const from = at - back;
    if (from < 0 || !text.startsWith(start, at) || !isWordStart(text, from)) continue;
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match !== null) return { name, ...secretOf(match) };
  }
  return undefined;
}

/** A token that begins with a letter or digit does not begin in the middle of a word. */
function isWordStart(text: string, at: number): boolean {
  return /[^A-Za-z0-9]/.test(text.charAt(at)) || beginsWord(text, at);
}
