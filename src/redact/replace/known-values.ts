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
  instead: Map<string, Replacement>;
}

/** Returns the placeholder of a secret. Undefined: the secret stays. */
type Redact = (name: string, value: string) => string | undefined;

/** Returns the replacement of a value. `redact` is that of the search that has found it. */
type Replacement = (redact: Redact) => string | undefined;

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
  #searched: readonly KnownValues[] = [this];
  #redact: Redact = String;

  constructor(marks: TrigramTable) {
    this.#marks = marks;
  }

  get size(): number {
    return this.#size + (this.#searched[1]?.size ?? 0);
  }

  /** Searches for values of other searches as well. They have to be marked in the table of this one. */
  share(values: KnownValues, redact: Redact): void {
    this.#searched = [this, values];
    this.#redact = redact;
  }

  add(value: string, instead: Replacement): void {
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
    if (this.size === 0) return [];
    const edits: TextEdit[] = [];
    for (const values of this.#searched) {
      const effort = { left: COMPARED_MAX * (text.length + LONG * LONG), long: 0 };
      for (const end of seen.ends(MAY_HOLD.known)) edits.push(...values.#endingAt(text, end, effort, this.#redact));
    }
    return sparing(placeholdersIn(text), edits);
  }

  #endingAt(text: string, end: number, effort: Effort, redact: Redact): TextEdit[] {
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
      if (!isWhole && isLikeWord(text.slice(start, end))) continue;
      const replacement = instead(redact);
      if (replacement !== undefined) return [{ start, end, text: replacement }];
    }
    return [];
  }
}
