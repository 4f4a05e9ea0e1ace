import { type Part, partsOf } from '../match/volatile-text-parts.ts';
import type { Span } from '../protocol/json-scan.ts';

/** Number of first characters that ids are looked up by. */
const START_LENGTH = 4;

/** Ids that are looked for in texts. */
export class KnownIds {
  /** Lengths of ids, longest first, by their first characters: few texts begin like an id. */
  readonly #lengths = new Map<string, number[]>();
  readonly #ids: ReadonlySet<string>;

  constructor(ids: Iterable<string>) {
    this.#ids = new Set(ids);
    const lengths = new Map<string, Set<number>>();
    for (const id of this.#ids) {
      const start = id.slice(0, START_LENGTH);
      lengths.set(start, (lengths.get(start) ?? new Set()).add(id.length));
    }
    for (const [start, each] of lengths)
      this.#lengths.set(
        start,
        [...each].sort((one, other) => other - one),
      );
  }

  /**
   * Returns the spans of ids in a text, from left to right. An id starts and ends at word boundaries, and not inside a
   * number, a date or a UUID. Of overlapping ids, the first and longest is returned. `max`: maximum length.
   */
  spansIn(text: string, max: number = text.length): Span[] {
    const found: Span[] = [];
    if (this.#ids.size === 0) return found;
    for (let start = 0; start + START_LENGTH <= text.length; start++) {
      const lengths = this.#lengths.get(text.slice(start, start + START_LENGTH));
      if (lengths === undefined || isInsideWord(text, start)) continue;
      const isHere = (length: number) =>
        length <= max &&
        this.#ids.has(text.slice(start, start + length)) &&
        start + length <= text.length &&
        !isInsideWord(text, start + length);
      const length = lengths.find(isHere);
      if (length === undefined) continue;
      found.push({ start, end: start + length });
      start += length - 1;
    }
    return found.length === 0 ? found : withoutCuts(text, found);
  }
}

/** Removes places that begin or end inside a number, a date or a UUID. */
function withoutCuts(text: string, spans: readonly Span[]): Span[] {
  const inside = new Set<number>();
  let at = 0;
  for (const { kind, text: part } of partsOf(text)) {
    if (kind !== 'literal') for (let offset = 1; offset < part.length; offset++) inside.add(at + offset);
    at += part.length;
  }
  return spans.filter(({ start, end }) => !inside.has(start) && !inside.has(end));
}

function isInsideWord(text: string, at: number): boolean {
  return isWordCharacter(text[at - 1]) && isWordCharacter(text[at]);
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

/**
 * Returns what another text has in the places of `spans`, if it has the same text around them. Numbers, dates and UUIDs
 * around them may differ. Undefined: the text around them differs, or a place has a blank.
 */
export function inPlacesOf(text: string, spans: readonly Span[], other: string): string[] | undefined {
  const parts = partsAround(text, spans);
  const found: string[] = [];
  let at = 0;
  for (const [index, { kind, text: part, isWanted }] of parts.entries()) {
    if (kind === 'literal') {
      if (!other.startsWith(part, at)) return undefined;
      at += part.length;
      continue;
    }
    const next = parts[index + 1];
    if (next !== undefined && next.kind !== 'literal') return undefined;
    const end = next === undefined ? other.length : other.indexOf(next.text, at);
    if (end < at || (end === at && isWanted)) return undefined;
    const value = other.slice(at, end);
    if (isWanted && /\s/.test(value)) return undefined;
    if (isWanted) found.push(value);
    at = end;
  }
  return at === other.length ? found : undefined;
}

function partsAround(text: string, spans: readonly Span[]): (Part & { isWanted: boolean })[] {
  const parts: (Part & { isWanted: boolean })[] = [];
  const around = (from: number, to?: number) => {
    parts.push(...partsOf(text.slice(from, to)).map((part) => ({ ...part, isWanted: false })));
  };
  let done = 0;
  for (const { start, end } of spans) {
    around(done, start);
    parts.push({ kind: 'value', text: text.slice(start, end), isWanted: true });
    done = end;
  }
  around(done);
  return parts;
}
