import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { type Part, partsOf } from '../../match/volatile-text-parts.ts';
import { type JsonPath, locate } from '../../protocol/json-scan.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest, paramsOf, resultOf } from '../../protocol/message.ts';
import { valueAt } from '../../protocol/scalar-key.ts';

/** A value in a text or number of a message: all of it, or one of its parts. */
interface ValuePlace {
  /** Index of the entry. */
  entry: number;
  /** The same array for a text and its parts. */
  path: JsonPath;
  /** Index of the part. Undefined: the value is the whole text. */
  part?: number;
}

/** A value that an answer of the server returned and that a later request of the client sends, such as an order id. */
export interface ReturnedValue {
  recorded: string;
  returned: ValuePlace;
  sent: ValuePlace;
}

/** Methods whose answers return values that clients send back. Lists are left out: their names are the server's interface. */
const RETURNING: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);
/** Params with other roles: names of tools, and tokens of the protocol (see token-locations.ts). */
const OTHER_ROLES: ReadonlySet<string> = new Set(['_meta', 'name', 'cursor', 'requestState', 'taskId', 'task']);

/** Minimum length of a value with a digit. Shorter ones, such as a count, are often equal by chance. */
export const LENGTH_MIN = 5;
/** Minimum length of a text without a digit, which has letters of both cases. */
const WORD_LENGTH_MIN = 8;

/**
 * Finds the values of answers that later requests of the client send. A value that the client sent before, or that a
 * list of the server names, is no such value. A test of a live server sends what this server returned instead.
 */
export function returnedValues(
  entries: readonly SessionEntry[],
  { requestOf }: Pick<Links, 'requestOf'>,
): ReturnedValue[] {
  const candidates = new Set(entries.flatMap((entry) => sentPlaces(entry).map(({ value }) => value)));
  if (candidates.size === 0) return [];
  const found: ReturnedValue[] = [];
  const returned = new Map<string, ValuePlace>();
  const known = new Set<string>();
  for (const entry of entries) {
    for (const { value, place } of sentPlaces(entry)) {
      const origin = returned.get(value);
      if (origin === undefined) known.add(value);
      else found.push({ recorded: value, returned: origin, sent: place });
    }
    const request = entries[requestOf.get(entry.index) ?? -1]?.message;
    if (entry.from !== 'server' || !isRequest(request)) continue;
    for (const { value, place } of placesIn(entry, 'result', resultOf(entry.message))) {
      if (!candidates.has(value) || known.has(value) || returned.has(value)) continue;
      if (RETURNING.has(request.method)) returned.set(value, place);
      else known.add(value);
    }
  }
  return found;
}

/** Returns the value of a live answer that has the recorded placeholders where it differs in redacted secrets only. */
export type AlignSecrets = (recorded: JsonText, live: JsonText) => unknown;

/**
 * Returns the value of a live answer in the place of a recorded one. Undefined: the answer still has the recorded value,
 * or its text differs around the value.
 */
function liveValue(
  { recorded, returned }: ReturnedValue,
  recordedAnswer: JsonText,
  live: { text: string; aligned: unknown },
): string | undefined {
  if (live.text.includes(recorded)) return undefined;
  const text = textOf(valueAt(live.aligned, returned.path));
  if (text === undefined) return undefined;
  if (returned.part === undefined) return /^\S+$/.test(text) ? text : undefined;
  const original = textOf(valueAt(recordedAnswer.value, returned.path))!;
  return partInPlaceOf(partsOf(original), returned.part, text);
}

/** Sends values that a live server returned in the place of recorded ones. */
export class ReturnedValueRewriter {
  /** Values, by the index of the answer that returned them. */
  readonly #returned = new ListMap<number, ReturnedValue>();
  /** Places of values, by the index of the request that sends them and by path. */
  readonly #sent = new Map<number, Map<string, JsonPath>>();
  readonly #align: AlignSecrets;
  readonly #live = new Map<string, string>();
  readonly values: readonly ReturnedValue[];

  constructor(values: readonly ReturnedValue[], align: AlignSecrets = (_, live) => live.value) {
    this.values = values;
    this.#align = align;
    for (const value of values) {
      const { returned, sent } = value;
      this.#returned.add(returned.entry, value);
      const paths = this.#sent.get(sent.entry) ?? new Map<string, JsonPath>();
      this.#sent.set(sent.entry, paths.set(JSON.stringify(sent.path), sent.path));
    }
  }

  /** Live values, by recorded value. */
  get live(): ReadonlyMap<string, string> {
    return this.#live;
  }

  /** Learns the values of a live answer. */
  learn({ index, json }: SessionEntry, live: JsonText): void {
    const values = this.#returned.get(index);
    if (values === undefined || json === undefined) return;
    const aligned = this.#align(json, live);
    for (const value of values) {
      const found = liveValue(value, json, { text: live.text, aligned });
      if (found !== undefined) this.#live.set(value.recorded, found);
    }
  }

  /** Returns the text of a request with the live values. */
  apply({ index, json }: SessionEntry, text: string): string {
    if (this.#live.size === 0) return text;
    let changed = text;
    for (const path of this.#sent.get(index)?.values() ?? [])
      changed = this.#withLive(changed, valueAt(json?.value, path), path);
    return changed;
  }

  #withLive(text: string, recorded: unknown, path: JsonPath): string {
    const span = locate(text, path);
    const whole = textOf(recorded);
    if (span === undefined || whole === undefined) return text;
    const parts = () => partsOf(whole).map((part) => this.#live.get(part.text) ?? part.text);
    const live = this.#live.get(whole) ?? parts().join('');
    if (live === whole) return text;
    const isNumber = typeof recorded === 'number' && /^-?\d+(?:\.\d+)?$/.test(live);
    return text.slice(0, span.start) + (isNumber ? live : JSON.stringify(live)) + text.slice(span.end);
  }
}

interface PlacedValue {
  value: string;
  place: ValuePlace;
}

/** Returns the values in the params of a client's request. */
function sentPlaces(entry: SessionEntry): PlacedValue[] {
  if (entry.from !== 'client' || !isRequest(entry.message)) return [];
  const params = Object.entries(paramsOf(entry.message)).filter(([name]) => !OTHER_ROLES.has(name));
  return placesIn(entry, 'params', Object.fromEntries(params));
}

function placesIn({ index }: SessionEntry, member: string, value: unknown): PlacedValue[] {
  const places: PlacedValue[] = [];
  for (const { value: leaf, path } of leavesOf(value, [member])) {
    const text = textOf(leaf);
    if (text === undefined) continue;
    if (isLikelyId(text)) places.push({ value: text, place: { entry: index, path } });
    for (const [part, { kind, text: value }] of partsOf(text).entries())
      if (kind !== 'literal' && value.length >= LENGTH_MIN && value !== text)
        places.push({ value, place: { entry: index, path, part } });
  }
  return places;
}

/** Reports whether a whole text looks like an id: it has no blanks, and a digit or letters of both cases. */
export function isLikelyId(text: string): boolean {
  if (/\s/.test(text)) return false;
  if (/\d/.test(text)) return text.length >= LENGTH_MIN;
  return text.length >= WORD_LENGTH_MIN && /[a-z]/.test(text) && /.[A-Z]/.test(text);
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Returns what a live text has in the place of a part, if it has the same literal text around its values. */
export function partInPlaceOf(parts: readonly Part[], wanted: number, live: string): string | undefined {
  let at = 0;
  let found: string | undefined;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'literal') {
      if (!live.startsWith(part.text, at)) return undefined;
      at += part.text.length;
      continue;
    }
    const next = parts[index + 1];
    const end = next === undefined ? live.length : live.indexOf(next.text, at);
    if (end < 0 || (next !== undefined && next.kind !== 'literal')) return undefined;
    if (index === wanted) found = live.slice(at, end);
    at = end;
  }
  return found === undefined || !/^[\w.:+-]+$/.test(found) ? undefined : found;
}
