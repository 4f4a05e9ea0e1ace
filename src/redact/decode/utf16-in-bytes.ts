import type { TextEdit } from '../replace/text-edit.ts';

/** Minimum number of characters of a stretch. Binary data has shorter ones by chance. */
const LENGTH_MIN = 6;

/**
 * Returns edits of the UTF-16 text within `bytes`, which have one character for each byte. In both byte orders, a zero
 * stands between each two characters of Latin-1. A line of such text may begin or end in the middle of a character.
 */
export function wideTextEdits(bytes: string, inText: (text: string) => readonly TextEdit[]): TextEdit[] {
  return stretchesIn(bytes).flatMap((start) => {
    const text = textFrom(bytes, start);
    return inText(text).map((edit) => ({
      start: start + 2 * edit.start,
      end: start + 2 * edit.end - 1,
      text: [...edit.text].join('\0'),
    }));
  });
}

/** Returns the offsets of the first characters of all stretches. */
function stretchesIn(bytes: string): number[] {
  const starts: number[] = [];
  for (let zero = bytes.indexOf('\0', 1); zero > 0; ) {
    const end = stretchEnd(bytes, zero - 1);
    if (end - zero >= 2 * LENGTH_MIN - 2) starts.push(zero - 1);
    zero = bytes.indexOf('\0', Math.max(zero + 1, end));
  }
  return starts;
}

/** Returns the end of the stretch whose first character is at `start`. */
function stretchEnd(bytes: string, start: number): number {
  if (isZero(bytes, start)) return start;
  let at = start;
  while (at + 2 < bytes.length && isZero(bytes, at + 1) && !isZero(bytes, at + 2)) at += 2;
  return at + 1;
}

function textFrom(bytes: string, start: number): string {
  const end = stretchEnd(bytes, start);
  return bytes.slice(start, end).replaceAll('\0', '');
}

function isZero(bytes: string, at: number): boolean {
  return bytes.charCodeAt(at) === 0;
}
