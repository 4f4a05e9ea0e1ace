import { MAY_HOLD, type ScanResult, TRIGRAM } from '../../fast-prefilter/trigram-scan.ts';
import { placeholdersIn } from '../../replace/placeholder-format.ts';
import type { SecretMatch } from '../../replace/secret-match.ts';
import { type Certainty, credentialNamed } from '../credential-names.ts';
import { isStrongPassword, looksGenerated, looksRandom, SHUFFLED_IN_CODE_MIN } from '../plausibility.ts';
import { secretsWithin } from '../secrets-in-credential.ts';
import { isBetweenTexts, isExpression, isVariable } from './code-after-names.ts';
import { endInLine } from './value-of-line.ts';

const QUOTED_LENGTH_MAX = 65_536;

/** Names that are ordinary words of prose: only a separator makes them names. */
const OFTEN_PROSE = /^(?:sid|licen[cs]e)$/i;
/** Length of an unquoted value that is examined. Longer values are only searched for their end. */
const JUDGED_LENGTH_MAX = 1_024;

/** Maximum number of names examined inside one secret: `credentials=password=…`. */
const INSIDE_MAX = 4;

/** Finds secrets after their names in `text`: `password=…`, `"api_key": "…"`, `--token …`, `Cookie: …`, `<secret>…`. */
export function assignments(text: string, seen: ScanResult): SecretMatch[] {
  const finds: SecretMatch[] = [];
  if (!/[:=\d"]|--|<\//.test(text)) return finds;
  let taken = 0;
  let inside = 0;
  for (const { 0: all, 1: name = '', 2: separator = '', index } of assignedNames(text, seen)) {
    inside = index < taken ? inside + 1 : 0;
    if (inside > INSIDE_MAX) continue;
    const isOption = name.startsWith('--');
    const isElement = separator.startsWith('>');
    const isLoose = !isOption && !isElement && !/[:=>]$/.test(separator.trim().replace(/^->$|\bis:$/, ''));
    const certainty =
      credentialNamed(name) ??
      (/^key$/i.test(name) && OF_KEY.test(separator.trim()) ? keyAfter(text, index) : undefined);
    if (certainty === undefined) continue;
    const isPartOfName = separator === ':' && (text[index - 1] === ':' || text[index + all.length] === ':');
    const isEmpty = EMPTY.test(separator) && !/["'`]/.test(text.charAt(index + all.length));
    if (isPartOfName || isEmpty) continue;
    if (isElement && text[index - 1] !== '<') continue;
    const bare = isElement
      ? ELEMENT
      : /set-?cookie$/i.test(name)
        ? SET_COOKIES
        : /cookie$/i.test(name)
          ? COOKIES
          : BARE;
    const at = index + all.length;
    const value = inLine(valueAt(text, at, bare, JUDGED_LENGTH_MAX), bare, { text, name, nameStart: index });
    if (isLoose && OFTEN_PROSE.test(name)) continue;
    if (isLoose && !looksRandom(value.text) && !isStrongPassword(value.text) && !isGiven(value, certainty, name))
      continue;
    if (isCommand(value, text) || isCodeBetween(value, text)) continue;
    if (isLoose && (/^--?[A-Za-z]/.test(value.text) || (value.quote === '`' && /^pass$/i.test(name)))) continue;
    if (!value.isQuoted && /[\r\n]/.test(separator) && /^[*_#]{2}/.test(value.text)) continue;
    if (!value.isQuoted && /^\\*["'`]/.test(separator) && isVariable(value.text)) continue;
    if (separator === ':' && name.includes('.') && ARTIFACT.test(value.text)) continue;
    if (
      name.toLowerCase().endsWith((value.isQuoted ? value.text : withoutNumber(value.text)).toLowerCase()) ||
      (/[=!]=/.test(separator) && !looksGenerated(value.text))
    )
      continue;
    // Attributes such as `HttpOnly` follow the first cookie.
    const first = bare.next === undefined ? value.text : value.text.split(';', 1)[0]!;
    if (!value.isQuoted && !isLikely({ name, separator, value: first })) continue;
    const whole = value.isCut ? valueAt(text, at, bare, text.length) : value;
    for (const span of secretsWithin(name, whole.text, certainty)) {
      finds.push({ name, start: whole.start + span.start, end: whole.start + span.end });
      taken = Math.max(taken, whole.start + span.end);
    }
  }
  return finds;
}

/** Removes the number of a variable: `tokens2`. */
function withoutNumber(value: string): string {
  return value.replace(/(?<=[A-Za-z])\d{1,2}$/, '');
}

/** Separators between the word "key" and a value: `key = …`, `key is …`, `key - '…'`. */
const OF_KEY = /^(?:=|-|is|was)$/;

/** Returns the certainty that the word "key" means a credential after the word before it: "API key", not "sort key". */
function keyAfter(text: string, at: number): Certainty | undefined {
  const [, before = ''] = /([A-Za-z]{1,24})[ \t]$/.exec(text.slice(Math.max(0, at - WORD_BEFORE_MAX), at)) ?? [];
  return credentialNamed(`a ${before} key`);
}

const WORD_BEFORE_MAX = 26;

/** Reports whether a quoted value after a name is a password: `secret("…")`, `password "…"`. */
function isGiven({ text, isQuoted }: Value, certainty: Certainty, name: string): boolean {
  const isSure = certainty === 'sure' ? !/token$/i.test(name) : /^(?:pass|secret)$/i.test(name);
  return isQuoted && isSure && !/\s/.test(text) && looksGenerated(text);
}

/** Reports whether a shell inserts the output of a command: `` KEY=`pass show key` ``. */
function isCommand({ text: value, start, isQuoted }: Value, text: string): boolean {
  return isQuoted && text[start - 1] === '`' && text[start - 2] === '=' && /^[\w./-]+ /.test(value);
}

/** Reports whether a quoted value is code between two texts, or Markdown between two blocks of code. */
function isCodeBetween({ text: value, start, quote }: Value, text: string): boolean {
  if (quote === '') return false;
  if (quote === FENCE) return /\S\s+\S/.test(value);
  return isBetweenTexts(text, { start, value, quote });
}

/** Mark around a block of code in Markdown. */
const FENCE = '```';

/** `NAME=` without a value, e.g. in a `.env` file. The next line belongs to another name. */
const EMPTY = /=[ \t]*[\r\n]/;

/** Maven artifact: `io.jsonwebtoken:jjwt-api:0.12.6`. */
const ARTIFACT = /^[a-z][a-z\d-]*(?:[:-]v?\d[\w.-]*)?$/;

interface Value {
  text: string;
  start: number;
  isQuoted: boolean;
  /** Quote before the value. Empty: there is none. */
  quote: string;
  /** Whether the value was cut at the length limit. */
  isCut: boolean;
}

/** Returns a value, with what its line has behind it if that is a part of it. */
function inLine(
  value: Value,
  bare: Form,
  { text, name, nameStart }: { text: string; name: string; nameStart: number },
): Value {
  const { start, quote, isCut } = value;
  const end = start + value.text.length;
  if (bare !== BARE || quote !== '' || isCut) return value;
  const endOfAll = endInLine(text, { name, nameStart, start, end });
  return endOfAll === end ? value : { ...value, text: text.slice(start, endOfAll) };
}

const SCHEME = /(?:bearer|basic|token|digest|apikey|dpop|aws4-hmac-sha256)\s+(?=[^\s"'`\\])/iy;

/** Form of an unquoted value. One expression with a group for the repeated part would need state for each repetition. */
interface Form {
  first: RegExp;
  /** Repeated part. */
  next?: RegExp;
}

const BARE: Form = { first: /[^\s"'`,;&<>|\\]+/y };
// Parameters of Digest and similar schemes (RFC 9110 §11.4).
const PARAMETERS: Form = {
  first: /[\w-]+=\\*"?[^"\\,\s]*\\*"?/y,
  next: /,\s?[\w-]+=\\*"?[^"\\,]*\\*"?/y,
};
const BLOCK = /[|>][+-]?\d?[ \t]*(?:\\[nr]|\r?\n){1,1024}[ \t]+/y;
/** Prefix of a string literal in C# and Python. */
const LITERAL_KIND = /(?:@|[bru]{1,2})(?=\\*["'])/iy;
const ELEMENT: Form = { first: /[^<]+/y };
const COOKIES: Form = { first: /[\w.-]+=[^\s;"'`\\]*/y, next: /;\s?[\w.-]+(?:=[^\s;"'`\\]*)?/y };
// Several `Set-Cookie` values joined by commas. An `Expires` attribute contains a comma, too.
const SET_COOKIES: Form = {
  first: /[\w.-]+=[^\s;"'`\\]*/y,
  next: /(?:;\s?|(?<=,)\s{1,8}(?=[\w.-]{1,64}=))[\w.-]+(?:=[^\s;"'`\\]*)?|(?<=,) \d\d[ -]\w{3}[ -]\d{2,4} [\d:]{8} GMT,?/y,
};

function valueAt(text: string, after: number, bare: Form, lengthMax: number): Value {
  const block = after + match(BLOCK, text, after).length;
  const at = block + match(LITERAL_KIND, text, block).length;
  const [quote = ''] = /^(\\*["'`])\1\1|^\\*["'`]/.exec(text.slice(at, at + 16)) ?? [];
  if (quote !== '') {
    const start = at + quote.length;
    const end = closing(text, start, quote);
    return { text: text.slice(start, end), start, isQuoted: text.startsWith(quote, end), quote, isCut: false };
  }
  const scheme = match(SCHEME, text, at);
  const form = /^(?:digest|aws4)/i.test(scheme) ? PARAMETERS : bare;
  const start = at + scheme.length;
  const rest = matchOf(form, text.slice(start, start + lengthMax));
  return {
    text: rest === '' ? '' : scheme + withoutClosing(rest),
    start: at,
    isQuoted: false,
    quote,
    isCut: rest.length === lengthMax,
  };
}

/** Removes closing punctuation from a value. A regular expression would take quadratic time for many brackets. */
function withoutClosing(value: string): string {
  if (value.endsWith(']') && placeholdersIn(value).at(-1)?.end === value.length) return value;
  let end = value.endsWith(']]>') ? value.length - 3 : value.length;
  while (')]},.:'.includes(value[end - 1] ?? ' ')) end--;
  return value.slice(0, end);
}

/** Returns the end of a quoted text: the matching quote, or the end of the line. */
function closing(text: string, start: number, quote: string): number {
  const endMax = Math.min(text.length, start + QUOTED_LENGTH_MAX);
  for (let end = text.indexOf(quote, start); end >= 0 && end < endMax; end = text.indexOf(quote, end + 1)) {
    const isEscaped = text[end - 1] === '\\' && end > start;
    if (!isEscaped) return end;
  }
  const line = text.indexOf('\n', start);
  return line >= 0 && line < endMax ? line : endMax;
}

/** Returns the beginning of `text` that has a form. */
function matchOf({ first, next }: Form, text: string): string {
  let { length } = match(first, text, 0);
  if (length === 0 || next === undefined) return text.slice(0, length);
  for (let more = match(next, text, length); more !== ''; more = match(next, text, length)) length += more.length;
  return text.slice(0, length);
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

/** Reports whether an unquoted value is likely a value, and not code, a type or prose. */
function isLikely({ name, separator, value }: Bare): boolean {
  const last = value.split(/\s+/).at(-1)!;
  if (isStrongPassword(last, SHUFFLED_IN_CODE_MIN)) return true;
  const isNumber = /^\d{1,5}$/.test(last) && !/pass|pwd|pin|otp/i.test(name);
  if (isNumber || /^[[{(][^\]})]*$/.test(last)) return false;
  if (looksRandom(last.split('.').at(-1)!) && !/[([]/.test(last)) return true;
  const isWord = /^[A-Za-z_-]+$/.test(last);
  if (!isWord && isExpression(last)) return isShouted(name) && !/\s/.test(separator);
  if (!isWord || looksGenerated(last)) return true;
  return separator.includes('=') && !/\s/.test(separator) && !/[=>]=|=>/.test(separator);
}

/** Reports whether a name is spelt like an environment variable. */
function isShouted(name: string): boolean {
  return /^[A-Z][A-Z\d_]*$/.test(name);
}

/** Separators between a name and its value, in prose, code, logs, forms and headers. */
const SEPARATORS = [
  // With a type: `apiKey: string = "…"`, `var apiKey string = "…"`.
  /\s{0,4}:\s{0,4}[A-Za-z][\w.<>[\]|]{0,40}\s{0,4}=\s{0,8}(?=\\*["'`])/,
  /\s{1,4}(?:\*?[Ss]tring|&?str|text|\[\]byte)\s{1,4}=\s{0,8}(?=\\*["'`])/,
  // Code, JSON, YAML and makefiles; `["name"] = `, `name[32] = `.
  /\\*["'`]?(?:\[\d{0,6}\]|\])?\s{0,8}(?:=>|:{1,3}=|\?{1,2}=|[.+]=|!?={1,3}|:)\s{0,8}/,
  /\s{0,8}(?:->|→|：|\|)\s{0,8}/,
  /\s{1,4}-\s{1,4}(?=["'`])/,
  /\(\s{0,4}(?=\\*["'`])/,
  /\s{1,8}(?:(?:for|of)\s{1,8}[^\s:]{1,64}\s{1,8})?(?:is|was):?\s{1,8}/,
  />(?:<!\[CDATA\[|(?=[^<>]{1,4096}<\/))/,
  /\s+(?=["']?[^\s-])/,
];

// Starts at a word's start only.
const ASSIGNED = new RegExp(
  `(?<![\\w.$-])((?:(?:api|access|secret|private|signing|encryption|account) )?-{0,2}[A-Za-z_$][\\w.$-]{1,64})(${SEPARATORS.map(({ source }) => source).join('|')})`,
  'iy',
);

/** First word of a two-word name, including the blank after it. */
const FIRST_WORD = /(?<![\w.$-])(?:api|access|secret|private|signing|encryption|account) $/i;
const FIRST_WORD_LENGTH_MAX = 12;

/** Maximum length of a word with leading dashes and a trailing arrow. */
const WORD_LENGTH_MAX = 68;
const OF_WORD = /[\w.$-]/;

/**
 * Yields the assigned names of `text`. Group 1 is the name, group 2 the separator. Only words with a marked part of a
 * credential's name are tried, which are few in a long text.
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

/** Returns the start of a two-word name whose second word begins at `at`. Without such a name, `at`. */
function firstWordStart(text: string, at: number): number {
  const [first = ''] = FIRST_WORD.exec(text.slice(Math.max(0, at - FIRST_WORD_LENGTH_MAX), at)) ?? [];
  return at - first.length;
}
