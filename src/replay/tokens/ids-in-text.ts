import { firstWhere } from '../../kernel/queue-and-binary-search.ts';
import { type Part, partsOf, shapeOf } from '../../match/volatile-text-parts.ts';
import type { Span } from '../../protocol/json-scan.ts';

/** Minimum length of a value with a digit. Shorter ones, such as a count, are often equal by chance. */
export const LENGTH_MIN = 5;
/** Minimum length of an id without a digit. Such an id has letters of both cases. */
const WORD_LENGTH_MIN = 8;

/** Reports whether a whole text looks like an id: it has no blanks, and a digit or letters of both cases. */
export function isLikelyId(text: string): boolean {
  if (/\s/.test(text)) return false;
  if (/\d/.test(text)) return text.length >= LENGTH_MIN;
  return text.length >= WORD_LENGTH_MIN && /[a-z]/.test(text) && /.[A-Z]/.test(text);
}

/** Minimum number of changes between letters and digits, and between small and capital letters, in a distinctive id. */
const [CHANGES_MIN, CASE_CHANGES_MIN] = [3, 6];
const DISTINCTIVE_LENGTH_MIN = 8;

/** Reports whether an id is distinctive: two equal ones are hardly a coincidence, unlike two `node-1`. */
export function isDistinctive(id: string): boolean {
  if (id.length < DISTINCTIVE_LENGTH_MIN) return false;
  const changesOf = (kinds: string) => kinds.replaceAll(/(.)\1+/g, '$1').length - 1;
  const signs = id.replaceAll(/[^A-Za-z0-9]/g, '').replaceAll(/\d/g, '0');
  if (changesOf(signs.replaceAll(/[A-Za-z]/g, 'a')) >= CHANGES_MIN) return true;
  return changesOf(signs.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A')) >= CASE_CHANGES_MIN;
}

/** Returns the places of words, dates and UUIDs in a text that look like ids. */
export function idSpans(text: string): Span[] {
  return spannedParts(text).flatMap(({ kind, text: part, start }) => {
    if (kind !== 'literal') return isLikelyId(part) ? [{ start, end: start + part.length }] : [];
    const words = [...part.matchAll(/\w{8,}/g)].filter(([word]) => isLikelyId(word));
    return words.map((word) => ({ start: start + word.index, end: start + word.index + word[0].length }));
  });
}

/** Values that are looked for in texts. Each has at least `LENGTH_MIN` characters. */
export class KnownValues {
  /** Lengths of the values, by first characters. Speeds up the search: few places of a text begin like a value. */
  readonly #lengths = new Map<string, Set<number>>();
  readonly #values: ReadonlySet<string>;

  constructor(values: Iterable<string>) {
    this.#values = new Set(values);
    for (const value of this.#values) {
      const start = value.slice(0, LENGTH_MIN);
      this.#lengths.set(start, (this.#lengths.get(start) ?? new Set()).add(value.length));
    }
  }

  /**
   * Returns the spans of known values in a text. A value must start and end at word boundaries, and not inside a
   * number, a date or a UUID.
   */
  spansIn(text: string): Span[] {
    if (this.#values.size === 0) return [];
    const found: Span[] = [];
    for (let start = 0; start + LENGTH_MIN <= text.length; start++) {
      if (isInsideWord(text, start)) continue;
      for (const length of this.#lengths.get(text.slice(start, start + LENGTH_MIN)) ?? []) {
        const end = start + length;
        if (end > text.length || isInsideWord(text, end) || !this.#values.has(text.slice(start, end))) continue;
        found.push({ start, end });
      }
    }
    if (found.length === 0) return [];
    const parts = spannedParts(text).filter(({ kind }) => kind !== 'literal');
    const cuts = (at: number) => {
      const after = firstWhere(parts.length, (index) => parts[index]!.start >= at);
      const before = parts[after - 1];
      return before !== undefined && at < before.start + before.text.length;
    };
    return found.filter(({ start, end }) => !cuts(start) && !cuts(end));
  }
}

/** Returns the word of a text that contains an id, or the id if the text lacks it. */
export function wordWith(text: string, id: string): string {
  const at = text.indexOf(id);
  if (at < 0) return id;
  const [before] = /[^\s"'`<>()[\]{},;]*$/.exec(text.slice(0, at))!;
  const [after] = /^(?:[^\s"'`<>()[\]{},;.:!?]|[.:!?](?=\w))*/.exec(text.slice(at + id.length))!;
  return before + id + after;
}

/** Reports whether a value is a date, a time or a duration, which identifies nothing. */
export function isTime(value: string): boolean {
  return shapeOf([value])?.isPassing === true;
}

/** Reports whether the characters before and after an offset belong to one word. */
function isInsideWord(text: string, at: number): boolean {
  return isWordCharacter(text.charCodeAt(at - 1)) && isWordCharacter(text.charCodeAt(at));
}

function isWordCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

function spannedParts(text: string): (Part & { start: number })[] {
  let start = 0;
  return partsOf(text).map((part) => {
    const here = { ...part, start };
    start += part.text.length;
    return here;
  });
}
