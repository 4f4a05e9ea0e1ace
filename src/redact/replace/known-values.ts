import { beginsWord, endsWord } from '../detect/word-edges-in-text.ts';
import { MAY_HOLD, mark, type ScanResult, scanText, type TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import { placeholdersIn } from './placeholder-format.ts';
import { sparing } from './placeholders.ts';
import type { TextEdit } from './text-edit.ts';

/** Minimum length of a searched value. */
export const KNOWN_VALUE_LENGTH_MIN = 6;

const WORD = /^(?:.{0,7}|[A-Za-z]{0,15}|[\d.,:-]{0,15})$/s;

/** Reports whether a value could be part of an ordinary word or number, so that only whole words are replaced. */
export function isLikeWord(value: string): boolean {
  return WORD.test(value);
}

/** Length from which values are searched with limited effort: matches of long values must not overlap. */
const LONG = 256;

/** Maximum number of compared characters of long values, per character of the text. */
const COMPARED_MAX = 16;

/** Known values with the same ending. */
interface Group {
  /** Distinct lengths, longest first. */
  lengths: number[];
  /** Returns the replacement of each value. */
  instead: Map<string, () => string>;
}

/** Effort spent on long values in one text. */
interface Effort {
  /** Number of characters that may still be compared. */
  left: number;
  /** End of the last long match. */
  long: number;
}

/**
 * Search for any number of known values in one pass over a text. Where a value's last trigram occurs, its last six
 * characters select the values with that ending. One lookup for each of their lengths finds the value. The cost does
 * not depend on the number of values.
 */
export class KnownValues {
  readonly #marks: TrigramTable;
  readonly #groups = new Map<string, Group>();
  #size = 0;

  constructor(marks: TrigramTable) {
    this.#marks = marks;
  }

  get size(): number {
    return this.#size;
  }

  add(value: string, instead: () => string): void {
    if (value.length < KNOWN_VALUE_LENGTH_MIN) return;
    const end = value.slice(-KNOWN_VALUE_LENGTH_MIN);
    const group: Group = this.#groups.get(end) ?? { lengths: [], instead: new Map() };
    this.#groups.set(end, group);
    if (group.instead.has(value)) return;
    group.instead.set(value, instead);
    if (!group.lengths.includes(value.length)) group.lengths = [...group.lengths, value.length].sort((a, b) => b - a);
    mark(this.#marks, value, MAY_HOLD.known);
    this.#size++;
  }

  /** Finds known values in `text`, except inside placeholders. The edits may overlap. */
  find(text: string, seen: ScanResult = scanText(text, this.#marks)): readonly TextEdit[] {
    if (this.#size === 0) return [];
    const effort = { left: COMPARED_MAX * (text.length + LONG * LONG), long: 0 };
    const edits: TextEdit[] = [];
    for (const end of seen.ends(MAY_HOLD.known)) {
      const edit = this.#endingAt(text, end, effort);
      if (edit) edits.push(edit);
    }
    return sparing(placeholdersIn(text), edits);
  }

  #endingAt(text: string, end: number, effort: Effort): TextEdit | undefined {
    const group = this.#groups.get(text.slice(Math.max(0, end - KNOWN_VALUE_LENGTH_MIN), end));
    for (const length of group?.lengths ?? []) {
      const start = end - length;
      if (length > LONG) {
        if (start < effort.long || effort.left < length) continue;
        effort.left -= length;
      }
      const instead = start < 0 ? undefined : group!.instead.get(text.slice(start, end));
      if (instead === undefined) continue;
      if (length > LONG) effort.long = end;
      const isWhole = beginsWord(text, start) && endsWord(text, end);
      if (isWhole || !isLikeWord(text.slice(start, end))) return { start, end, text: instead() };
    }
    return undefined;
  }
}
