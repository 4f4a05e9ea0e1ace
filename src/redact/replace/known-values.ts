import { beginsWord, endsWord } from '../detect/word-edges-in-text.ts';
import { MAY_HOLD, mark, type ScanResult, scanText, type TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import { placeholdersIn, sparing } from './placeholders.ts';
import type { TextEdit } from './text-edit.ts';

/** The shortest value that can be looked for. */
export const KNOWN_VALUE_LENGTH_MIN = 6;

/** A value that could be part of an ordinary word or number matches as a whole word only. */
const WORD = /^(?:.{0,7}|[A-Za-z]{0,15}|[\d.,:-]{0,15})$/s;

/** Of longer values one stands behind the other, and none in the midst of itself. */
const LONG = 256;

/** So many characters of long values are compared for each of a text, at most: more are its own doing. */
const COMPARED_MAX = 16;

/** Needles that end alike. */
interface Group {
  /** Each length once, longest first. */
  lengths: number[];
  /** What is written in the stead of each. */
  instead: Map<string, string>;
}

/** What is spent on long values in one text. */
interface Effort {
  /** Characters that may still be compared. */
  left: number;
  /** Where the last of them ended. */
  long: number;
}

/**
 * Finds any number of known values in one pass over a text. Where the last three characters of some value have passed,
 * its last six lead to the values that end so, and one look-up for each of their lengths tells whether it is one: the cost
 * does not grow with the number of values.
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

  add(value: string, instead: string): void {
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

  /** Where known values stand in `text`, outside of placeholders. Some of them may overlap. */
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
      if (isWhole || !WORD.test(text.slice(start, end))) return { start, end, text: instead };
    }
    return undefined;
  }
}
