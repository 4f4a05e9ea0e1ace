import { MAY_HOLD, type ScanResult, TRIGRAM } from '../fast-prefilter/trigram-scan.ts';

// A name, and what sets it apart from its value, in prose, code, logs, forms and headers. Starts at a word's start only.
const ASSIGNED =
  /(?<![\w.$-])((?:(?:api|access|secret|private|signing|encryption|account) )?-{0,2}[A-Za-z_$][\w.$-]{1,64})(\\*["'`]?\]?\s{0,8}(?:=>|:=|={1,3}|:)\s{0,8}|\s{0,8}(?:->|→|：|\|)\s{0,8}|\s{1,8}(?:(?:for|of)\s{1,8}[^\s:]{1,64}\s{1,8})?(?:is|was):?\s{1,8}|>(?:<!\[CDATA\[|(?=[^<>]{1,4096}<\/))|\s+(?=["']?[^\s-]))/iy;

/** First word of a two-word name, with the blank after it. */
const FIRST_WORD = /(?<![\w.$-])(?:api|access|secret|private|signing|encryption|account) $/i;
const FIRST_WORD_LENGTH_MAX = 12;

/** Length of a word with leading dashes and a trailing arrow. */
const WORD_LENGTH_MAX = 68;
const OF_WORD = /[\w.$-]/;

/**
 * The names in `text` that something is assigned to, each with what sets it apart, as groups 1 and 2. Only those are tried in
 * which a piece of a credential's name is marked: few words of a long text are.
 */
export function* assignedNames(text: string, seen: ScanResult): Generator<RegExpExecArray> {
  let from = 0;
  for (const end of seen.ends(MAY_HOLD.name)) {
    const word = wordStart(text, end - TRIGRAM);
    if (word < from) continue;
    const first = firstWordStart(text, word);
    ASSIGNED.lastIndex = first < from ? word : first;
    const match = ASSIGNED.exec(text);
    from = match === null ? end : ASSIGNED.lastIndex;
    if (match !== null) yield match;
  }
}

function wordStart(text: string, at: number): number {
  const first = Math.max(0, at - WORD_LENGTH_MAX);
  while (at > first && OF_WORD.test(text.charAt(at - 1))) at--;
  return at;
}

/** Where the first of two words begins of which the second does at `at`; `at` itself if there is no such word. */
function firstWordStart(text: string, at: number): number {
  const [first = ''] = FIRST_WORD.exec(text.slice(Math.max(0, at - FIRST_WORD_LENGTH_MAX), at)) ?? [];
  return at - first.length;
}
