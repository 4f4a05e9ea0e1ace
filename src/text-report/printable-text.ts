/**
 * Escapes text for a terminal or a page, because cassettes are untrusted. Characters that move the cursor, ring a bell,
 * change the direction of writing or are invisible become visible escapes.
 */
export function printable(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replace(UNSAFE, (c) => ESCAPES[c] ?? escaped(c.codePointAt(0)!.toString(16)));
}

function escaped(hex: string): string {
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** Escapes text of several lines, and keeps the line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/**
 * Escapes the same characters in JSON, as JSON spells them: programs read the same value. Line breaks between the
 * values stay.
 */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, (c) => (c === '\n' ? c : c.split('').map(jsonEscape).join('')));
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Scripts whose letters have neither joiners nor variants. After such a letter, a joiner or selector only hides
 * something.
 */
const PLAIN_SCRIPTS = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Hangul}\\p{Script=Hiragana}';

/**
 * Unsafe characters: controls, lone surrogates, line separators, and characters that Unicode calls ignorable (direction
 * marks, tags, fillers, zero-width spaces). A joiner or variant selector is safe after a character that it can change:
 * an emoji, or a letter of another script.
 */
const UNSAFE = new RegExp(
  '[\\p{Cc}\\p{Cs}\\u2028\\u2029]' +
    '|(?![\\u200c\\u200d\\ufe0e\\ufe0f\\u180b-\\u180d])\\p{Default_Ignorable_Code_Point}' +
    '|(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]|(?![\\u3164\\uffa0\\u115f\\u1160])' +
    `(?![${PLAIN_SCRIPTS}])[\\p{L}\\p{M}])[\\u200c\\u200d\\u180b-\\u180d]` +
    '|(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}0-9#*])[\\ufe0e\\ufe0f]',
  'gu',
);

const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;

let segmenter: Intl.Segmenter | undefined;

/**
 * Segments a text. The segmenter takes 20 ms to load, a tenth of a replay's start time, so it is created on first use.
 */
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/**
 * Number of code units passed to the segmenter at a time, because each of its steps takes time proportional to its
 * text.
 */
const WINDOW_LENGTH = 512;

/** Yields the graphemes of a text, in order, one window at a time. */
function* graphemesOf(text: string): Generator<string> {
  let length = WINDOW_LENGTH;
  for (let start = 0; start < text.length; ) {
    const end = pastPair(text, start + length);
    const found = Array.from(segmentsOf(text.slice(start, end)), ({ segment }) => segment);
    // The last grapheme may continue beyond the window. A window with a single grapheme is doubled.
    if (end < text.length) found.pop();
    yield* found;
    const read = found.reduce((sum, grapheme) => sum + grapheme.length, 0);
    length = read === 0 ? 2 * length : WINDOW_LENGTH;
    start += read;
  }
}

/** Returns the position, moved by one if it lies inside a surrogate pair. */
function pastPair(text: string, position: number): number {
  return text.codePointAt(position - 1)! > 0xffff ? position + 1 : position;
}

/** Returns the number of terminal columns of printable text. */
export function columns(text: string): number {
  if (ASCII.test(text)) return text.length;
  let sum = 0;
  for (const grapheme of graphemesOf(text)) sum += columnsOf(grapheme);
  return sum;
}

const ASCII = /^[\x20-\x7e]*$/;

function columnsOf(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Cuts a text to `width` columns, including an ellipsis. A text that fits is returned unchanged. */
export function truncate(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  // Graphemes rarely exceed sixteen code units. Texts of megabytes are common.
  const head = text.slice(0, width * 16);
  const isWhole = head.length === text.length;
  if (ASCII.test(head))
    return isWhole && text.length <= width ? text : withEllipsis(head.slice(0, Math.max(0, width - 1)), width);
  let sum = 0;
  /** Length of the text that fits before an ellipsis. */
  let kept = 0;
  let read = 0;
  for (const grapheme of graphemesOf(head)) {
    sum += columnsOf(grapheme);
    if (sum > width) return withEllipsis(head.slice(0, kept), width);
    read += grapheme.length;
    if (sum < width) kept = read;
  }
  return isWhole ? text : withEllipsis(head.slice(0, kept), width);
}

function withEllipsis(kept: string, width: number): string {
  return width > 0 ? `${kept}…` : '';
}
