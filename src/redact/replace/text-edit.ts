import type { Span } from '../../protocol/json-scan.ts';

/** A span of a text and its replacement. */
export interface TextEdit extends Span {
  text: string;
}

/** The edits in order, none overlapping another: those that share a character become one, with the first one's text. */
export function mergeEdits(edits: readonly TextEdit[]): TextEdit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: TextEdit[] = [];
  for (const edit of sorted) {
    const last = result.at(-1);
    if (last === undefined || edit.start >= last.end) result.push({ ...edit });
    else if (edit.end > last.end) last.end = edit.end;
  }
  return result;
}

/** `text` with the edits made; the very same text where there are none. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, text: instead } of mergeEdits(edits)) {
    result += text.slice(from, start) + instead;
    from = end;
  }
  return result + text.slice(from);
}
