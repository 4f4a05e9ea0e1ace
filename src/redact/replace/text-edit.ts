import type { Span } from '../../protocol/json-scan.ts';

/** Span of a text with its replacement. */
export interface TextEdit extends Span {
  text: string;
}

/** Returns the edits in order, without overlaps. Overlapping edits become one, with the text of the first. */
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

/** Applies edits to `text`. Without edits, the same text is returned. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, text: instead } of mergeEdits(edits)) {
    result += text.slice(from, start) + instead;
    from = end;
  }
  return result + text.slice(from);
}

/** Maximum number of rounds. One redaction may reveal another secret; two rounds are usual. */
const ROUNDS_MAX = 8;

/** Applies the edits that `look` returns for a text, and then for the result, until there are none. */
export function editedInRounds(text: string, look: (text: string) => readonly TextEdit[]): string {
  let edited = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const edits = look(edited);
    if (edits.length === 0) break;
    edited = applyEdits(edited, edits);
  }
  return edited;
}
