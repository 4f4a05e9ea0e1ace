import { credentialNamed } from './credential-names.ts';
import { secretsWithin } from './credential-value.ts';
import type { Find } from './find.ts';
import { placeholdersIn } from './placeholder.ts';
import { looksMade, looksRandom } from './plausible.ts';

// A name, and what sets it apart from its value, in prose, code, logs, forms and headers. Starts at a word's start only.
const ASSIGNMENT =
  /(?<![\w.$-])((?:(?:api|access|secret|private|signing|encryption|account) )?-{0,2}[A-Za-z_$][\w.$-]{1,64})(\\*["'`]?\]?\s{0,8}(?:=>|:=|={1,3}|:)\s{0,8}|\s{0,8}(?:->|→|：|\|)\s{0,8}|\s{1,8}(?:is|was):?\s{1,8}|>(?=[^<>]{1,4096}<\/)|\s+(?=["']?[^\s-]))/gi;
const QUOTED_LENGTH_MAX = 65_536;

/** The secrets in `text` that a name before them gives away: `password=…`, `"api_key": "…"`, `--token …`, `Cookie: …`, `<secret>…`. */
export function assignments(text: string): Find[] {
  const finds: Find[] = [];
  if (!/[:=\d]|--|<\//.test(text)) return finds;
  for (const { 0: all, 1: name = '', 2: separator = '', index } of text.matchAll(ASSIGNMENT)) {
    const isOption = name.startsWith('--');
    const isLoose = !isOption && !/[:=>]$/.test(separator.trim().replace(/^(?:->|is:)$/, ''));
    const certainty = credentialNamed(name);
    if (certainty === undefined) continue;
    const isPartOfName = separator === ':' && text[index - 1] === ':';
    if (isPartOfName) continue;
    if (separator === '>' && text[index - 1] !== '<') continue;
    const bare = separator === '>' ? ELEMENT : /cookie$/i.test(name) ? COOKIES : BARE;
    const value = valueAt(text, index + all.length, bare);
    if (isLoose && !looksRandom(value.text)) continue;
    if (name.endsWith(value.text) || (/={2}/.test(separator) && !looksMade(value.text))) continue;
    if (!value.isQuoted && !isLikely({ name, separator, value: value.text })) continue;
    for (const span of secretsWithin(name, value.text, certainty))
      finds.push({ name, start: value.start + span.start, end: value.start + span.end });
  }
  return finds;
}

interface Value {
  text: string;
  start: number;
  isQuoted: boolean;
}

const SCHEME = /(?:bearer|basic|token|digest|apikey|dpop|aws4-hmac-sha256)\s+(?=[^\s"'`\\])/iy;
const BARE = /[^\s"'`,;&<>|\\]+/y;
// What Digest and its like consist of (RFC 9110 §11.4).
const PARAMETERS = /[\w-]+=\\*"?[^"\\,\s]*\\*"?(?:,\s?[\w-]+=\\*"?[^"\\,]*\\*"?)*/y;
const BLOCK = /[|>][+-]?\d?[ \t]*(?:\\[nr]|\r?\n)+[ \t]+/y;
const ELEMENT = /[^<]+/y;
const COOKIES = /[\w.-]+=[^\s;"'`\\]*(?:;\s?[\w.-]+(?:=[^\s;"'`\\]*)?)*/y;

function valueAt(text: string, after: number, bare: RegExp): Value {
  const at = after + match(BLOCK, text, after).length;
  const [quote = ''] = /^\\*["'`]/.exec(text.slice(at, at + 16)) ?? [];
  if (quote !== '') {
    const start = at + quote.length;
    const end = closing(text, start, quote);
    return { text: text.slice(start, end), start, isQuoted: text.startsWith(quote, end) };
  }
  const scheme = match(SCHEME, text, at);
  const form = /^(?:digest|aws4)/i.test(scheme) ? PARAMETERS : bare;
  const rest = match(form, text, at + scheme.length);
  const word =
    rest.endsWith(']') && placeholdersIn(rest).at(-1)?.end === rest.length
      ? rest
      : rest.replace(/[)\]},.:]+$/, '');
  return { text: scheme + word, start: at, isQuoted: false };
}

/** Where what `quote` opened ends: at its like, else at the end of the line. */
function closing(text: string, start: number, quote: string): number {
  const endMax = Math.min(text.length, start + QUOTED_LENGTH_MAX);
  for (let end = text.indexOf(quote, start); end >= 0 && end < endMax; end = text.indexOf(quote, end + 1)) {
    const isEscaped = text[end - 1] === '\\' && end > start;
    if (!isEscaped) return end;
  }
  const line = text.indexOf('\n', start);
  return line >= 0 && line < endMax ? line : endMax;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

interface Bare {
  name: string;
  separator: string;
  value: string;
}

/** Whether a value without quotes is a value, and no code, type or prose. */
function isLikely({ name, separator, value }: Bare): boolean {
  const last = value.split(/\s+/).at(-1)!;
  const isNumber = /^\d{1,5}$/.test(last) && !/pass|pwd|pin|otp/i.test(name);
  if (isNumber || /^[[{(][^\]})]*$/.test(last)) return false;
  if (/^[\w$.!#]*\(|^[\w$.]+\[|^={2}|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(last))
    return isShouted(name) && !/\s/.test(separator);
  const isWord = /^[A-Za-z_-]+$/.test(last);
  if (!isWord || looksMade(last)) return true;
  return separator.includes('=') && !/\s/.test(separator) && !/[=>]=|=>/.test(separator);
}

/** Written as environment variables are, whose values are values. */
function isShouted(name: string): boolean {
  return /^[A-Z][A-Z\d_]*$/.test(name);
}
