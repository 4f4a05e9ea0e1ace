import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import { withTextAt } from '../channel/replace-json-at-path.ts';
import { leavesOf } from '../kernel/validate-fields.ts';
import { partsOf } from '../match/volatile-text-parts.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isObject, isRequest, isResponse } from '../protocol/message.ts';
import { scalarKeyAt, valueAt } from '../protocol/scalar-key.ts';
import { isRedacted, placeholdersIn } from '../redact/replace/placeholder-format.ts';
import { isLikelyId, LENGTH_MIN } from '../replay/tokens/ids-in-text.ts';
import { type AlignSecrets, textOf } from '../replay/tokens/returned-values.ts';
import { issuedInResponse, referencedIn } from '../replay/tokens/token-locations.ts';
import { partInPlaceOf, valuesInPlaces } from '../replay/tokens/values-in-live-texts.ts';

/** Message members in which a server may have generated values. */
const MEMBERS = ['params', 'result', 'error'] as const;

/**
 * Values that a live server generated in place of recorded values: ids, cursors, secrets. A client with recorded
 * answers sends the recorded values, and later answers contain the recorded values again.
 */
export class MadeUpValues {
  readonly #align: AlignSecrets;
  readonly #live = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  /** Recorded values that two answers replaced by different live values, and which are therefore not ids. */
  readonly #ambiguous = new Set<string>();
  /** Placeholders that stand for a number. */
  readonly #numbers = new Set<string>();
  /** Live cursors, task ids and request states, as JSON tokens, by kind and recorded token. */
  readonly #tokens = new Map<string, string>();

  constructor(align: AlignSecrets = (_, live) => live.value) {
    this.#align = align;
  }

  /** Learns the values of a live answer to a recorded request. */
  learn(request: SessionEntry, recorded: JsonText, live: JsonText): void {
    if (isRequest(request.message) && isResponse(recorded.value))
      for (const { kind, path } of issuedInResponse(recorded.value, request.message, [])) {
        const [before, now] = [scalarKeyAt(recorded, path), scalarKeyAt(live, path)];
        if (before !== undefined && now !== undefined) this.#tokens.set(`${kind} ${before}`, now);
      }
    const aligned = this.#align(recorded, live);
    for (const member of MEMBERS) {
      const before = isObject(recorded.value) ? recorded.value[member] : undefined;
      if (before === undefined) continue;
      for (const { value, path } of leavesOf(before, [member])) {
        const [text, now] = [textOf(value), textOf(valueAt(live.value, path))];
        if (text !== undefined && isRedacted(text) && typeof valueAt(live.value, path) === 'number')
          this.#numbers.add(text);
        if (text === undefined || now === undefined || text === now) continue;
        for (const [one, other] of pairsOf(text, { now, aligned: textOf(valueAt(aligned, path)) ?? now }))
          if (!live.text.includes(one) && !recorded.text.includes(other)) this.#add(one, other);
      }
    }
  }

  /** Returns a message of the client with the values of the live server. */
  toServer(json: JsonText): JsonText {
    const { value } = json;
    let sent = json;
    if (isRequest(value) && this.#tokens.size > 0)
      for (const { kind, path } of referencedIn(value, undefined, [])) {
        const live = this.#tokens.get(`${kind} ${scalarKeyAt(sent, path)}`);
        if (live !== undefined) sent = withTextAt(sent, path, live);
      }
    return replaced(sent, this.#live, this.#numbers);
  }

  /** Returns a message of the live server with the recorded values. */
  toClient(json: JsonText): JsonText {
    return replaced(json, this.#recorded);
  }

  #add(recorded: string, live: string): void {
    if (this.#ambiguous.has(recorded) || this.#live.get(recorded) === live) return;
    const [other, owner] = [this.#live.get(recorded), this.#recorded.get(live)];
    if (other === undefined && owner === undefined) {
      this.#live.set(recorded, live);
      this.#recorded.set(live, recorded);
      return;
    }
    for (const one of [recorded, owner ?? recorded]) {
      this.#ambiguous.add(one);
      this.#recorded.delete(this.#live.get(one) ?? '');
      this.#live.delete(one);
    }
  }
}

/** A live text. `aligned` has the recorded placeholders in place of secrets. */
interface LiveText {
  now: string;
  aligned: string;
}

/** Returns the recorded and live values of two different texts in the same place. Dates and times name nothing. */
function pairsOf(recorded: string, { now, aligned }: LiveText): [recorded: string, live: string][] {
  const parts = partsOf(recorded);
  const [only] = parts;
  if (parts.length === 1 && (only?.kind === 'date' || only?.kind === 'time')) return [];
  const isWhole = (isLikelyId(recorded) || isRedacted(recorded)) && /^\S+$/.test(now);
  const ofParts = parts.flatMap(({ kind, text }, index): [string, string][] => {
    if ((kind !== 'uuid' && kind !== 'value') || text.length < LENGTH_MIN) return [];
    const found = partInPlaceOf(parts, index, aligned);
    return found === undefined || found === text ? [] : [[text, found]];
  });
  return [...(isWhole ? [[recorded, now] as [string, string]] : secretsIn(recorded, now)), ...ofParts];
}

/** Returns the placeholders inside a recorded text, with their values in the live text. Short values occur by chance. */
function secretsIn(recorded: string, now: string): [recorded: string, live: string][] {
  const spans = placeholdersIn(recorded);
  return valuesInPlaces(spans, { recorded, live: now }).flatMap((value, index): [string, string][] => {
    const { start, end } = spans[index]!;
    return value === undefined || value.length < LENGTH_MIN ? [] : [[recorded.slice(start, end), value]];
  });
}

/** Returns the message with other values, as whole texts or numbers, or as words of a text. */
function replaced(
  json: JsonText,
  values: ReadonlyMap<string, string>,
  numbers: ReadonlySet<unknown> = new Set(),
): JsonText {
  const found = [...values.keys()].filter((value) => json.text.includes(value));
  if (found.length === 0 || !isObject(json.value)) return json;
  // Longer values come first, because a value may contain another value.
  const literals = found.sort((one, other) => other.length - one.length).map(escaped);
  const words = new RegExp(`(?<!\\w)(?:${literals.join('|')})(?!\\w)`, 'g');
  let changed = json;
  for (const member of MEMBERS)
    for (const { value, path } of leavesOf(json.value[member] ?? {}, [member])) {
      const text = textOf(value);
      const next = text?.replace(words, (word) => values.get(word)!);
      if (next !== undefined && next !== text)
        changed = withTextAt(changed, path, tokenFor(next, typeof value === 'number' || numbers.has(value)));
    }
  return changed;
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function tokenFor(text: string, isNumber: boolean): string {
  return isNumber && /^-?\d+$/.test(text) ? text : JSON.stringify(text);
}
