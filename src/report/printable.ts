/**
 * Text as a terminal may be given it: what would move the cursor, ring a bell or turn the direction of writing is shown
 * as an escape. Cassettes are untrusted.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, (c) => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// Controls of ASCII and Latin-1, halves of pairs, marks and overrides of direction, line separators, byte order mark.
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;

let segmenter: Intl.Segmenter | undefined;

/** To load a segmenter takes 20 ms, a tenth of what a replay takes to start: it is left until a text needs one. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** Columns that printable text takes on a terminal. */
export function columns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of graphemesOf(text)) sum += WIDE.test(segment) ? 2 : 1;
  return sum;
}

/** The text, or as much of its beginning as fits into `width` columns with an ellipsis after it. */
export function truncate(text: string, width: number): string {
  // A grapheme of sixteen code units is rare; a text of megabytes is not.
  const head = text.slice(0, width * 16);
  if (head.length === text.length && columns(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const { segment } of graphemesOf(head)) {
    room -= columns(segment);
    if (room < 0) break;
    kept += segment;
  }
  return width > 0 ? `${kept}…` : '';
}
