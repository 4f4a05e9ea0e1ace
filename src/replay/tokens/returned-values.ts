import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { LinearRegex } from '../../kernel/linear-regex.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { type Ignore, ignoredExpressions, rulesAsWritten } from '../../match/ignore-rules.ts';
import { partsOf } from '../../match/volatile-text-parts.ts';
import { type JsonPath, locate, type Span } from '../../protocol/json-scan.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest, paramsOf, resultOf } from '../../protocol/message.ts';
import { LISTS } from '../../protocol/method-table.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { isRedacted, placeholdersIn } from '../../redact/replace/placeholder-format.ts';
import { idSpans, isDistinctive, isLikelyId, isTime, KnownValues } from './ids-in-text.ts';
import { valuesInPlaces } from './values-in-live-texts.ts';

/** Place of a value in a message: a whole text or number, or a part of one. */
export interface ValuePlace {
  /** Index of the entry. */
  entry: number;
  path: JsonPath;
  /** The part of the text that holds the value. Absent if the value is the whole text. */
  span?: Span;
}

/** A value that an answer of the server returned and that a later request of the client sends, such as an order id. */
export interface ReturnedValue {
  recorded: string;
  returned: ValuePlace;
  /** Further places of the value in the same answer. */
  alsoReturned?: readonly ValuePlace[];
  sent: ValuePlace;
  /** Whether a rule names it, and its form does not: other texts have it by chance. */
  isShort?: true;
  /** Whether a test names its places. */
  isCaptured?: true;
  /** Whether a list returned it: the live item in the place of the recorded one must have the same name. */
  isListed?: true;
}

/**
 * Methods whose answers return ids that clients send back. Lists are not among them: most of their names belong to the
 * server's interface.
 */
export const RETURNING: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);
/** Params with other roles: names of tools, and tokens of the protocol (see token-locations.ts). */
const OTHER_ROLES: ReadonlySet<string> = new Set(['_meta', 'name', 'cursor', 'requestState', 'taskId', 'task']);

/**
 * Finds the values of answers that later requests of the client send. Values that the client sent before, or that a
 * list of the server names, are left out. A UUID and other distinctive ids of a list count, since a server makes them up.
 * A placeholder counts in any answer, since no server knows it. A test against a
 * live server sends the live values instead.
 */
export function returnedValues(
  entries: readonly SessionEntry[],
  { requestOf }: Pick<Links, 'requestOf'>,
): ReturnedValue[] {
  const sent = new Map(entries.map((entry) => [entry, sentValues(entry)]));
  const candidates = new KnownValues([...sent.values()].flatMap((values) => values.map(({ value }) => value)));
  const found: ReturnedValue[] = [];
  const returned = new Map<string, readonly ValuePlace[]>();
  const listed = new Set<string>();
  const own = new Set<string>();
  for (const entry of entries) {
    for (const { value, place } of sent.get(entry)!) {
      const [origin, ...alsoReturned] = returned.get(value) ?? [];
      if (origin === undefined) own.add(value);
      else
        found.push({
          recorded: value,
          returned: origin,
          sent: place,
          ...(alsoReturned.length > 0 && { alsoReturned }),
          ...(listed.has(value) && { isListed: true as const }),
        });
    }
    const request = entries[requestOf.get(entry.index) ?? -1]?.message;
    if (entry.from !== 'server' || !isRequest(request)) continue;
    for (const [value, places] of placesOf(candidates, entry)) {
      if (own.has(value) || returned.has(value)) continue;
      const isMadeUp = LISTS.has(request.method) && isDistinctive(value) && !isTime(value) && !isRedacted(value);
      if (isMadeUp) listed.add(value);
      if (isMadeUp || RETURNING.has(request.method) || isRedacted(value)) returned.set(value, places);
      else own.add(value);
    }
  }
  return found;
}

/**
 * Returns the places of values in a result. Values that fill a whole text come first, because no text around them can
 * change.
 */
function placesOf(values: KnownValues, entry: SessionEntry): Map<string, ValuePlace[]> {
  const places = new ListMap<string, ValuePlace>();
  for (const { value: leaf, path } of leavesOf(resultOf(entry.message), ['result'])) {
    const text = textOf(leaf);
    if (text === undefined) continue;
    for (const span of values.spansIn(text)) {
      const value = text.slice(span.start, span.end);
      places.add(value, { entry: entry.index, path, ...(value !== text && { span }) });
    }
  }
  for (const found of places.values())
    found.sort((a, b) => Number(a.span !== undefined) - Number(b.span !== undefined));
  return places;
}

/** Returns the value of a live answer, with recorded placeholders in place of redacted secrets. */
export type AlignSecrets = (recorded: JsonText, live: JsonText) => unknown;

export interface LiveValuesOptions {
  align?: AlignSecrets;
  /** Ignore rules of the session. Rules of a single answer are read from its event. */
  ignore?: readonly Ignore[];
}

/** Replaces recorded values in requests by the values that a live server returned. */
export class ReturnedValueRewriter {
  /** Values to learn, by the entry index of their answer. */
  readonly #returned = new ListMap<number, ReturnedValue>();
  /** Values to replace, by the entry index of their request. */
  readonly #sent = new ListMap<number, ReturnedValue>();
  readonly #align: AlignSecrets;
  readonly #ignore: readonly Ignore[];
  readonly #live = new Map<string, string>();
  /** Placeholders whose live value is a number. */
  readonly #numbers = new Set<string>();
  readonly values: readonly ReturnedValue[];

  constructor(
    values: readonly ReturnedValue[],
    { align = (_, live) => live.value, ignore = [] }: LiveValuesOptions = {},
  ) {
    this.values = values;
    this.#align = align;
    this.#ignore = ignore;
    for (const value of values) {
      this.#returned.add(value.returned.entry, value);
      this.#sent.add(value.sent.entry, value);
    }
  }

  /** Live values, by recorded value. */
  get live(): ReadonlyMap<string, string> {
    return this.#live;
  }

  /** Learns the live counterparts of an answer's values. A value that the live answer repeats needs no replacement. */
  learn({ index, json, match }: SessionEntry, live: JsonText): void {
    const values = this.#returned.get(index);
    if (values === undefined || json === undefined) return;
    const patterns = ignoredExpressions([...this.#ignore, ...rulesAsWritten(match?.ignore ?? [])]);
    const [secret, plain] = [values.filter(isOfSecret), values.filter((value) => !isOfSecret(value))];
    const lives = new Map([
      ...livePlaces(plain, { recorded: json.value, live: this.#align(json, live), patterns }),
      // The value in place of a placeholder is wanted itself, and not as a placeholder.
      ...livePlaces(secret, { recorded: json.value, live: live.value, patterns, isClear: true }),
    ]);
    for (const { recorded, returned } of secret)
      if (typeof valueAt(live.value, returned.path) === 'number') this.#numbers.add(recorded);
    for (const { recorded, returned, alsoReturned = [], isShort } of values) {
      const found = [returned, ...alsoReturned].map((place) => lives.get(place)).find((one) => one !== undefined);
      const isNew = isShort ? found !== recorded : !live.text.includes(recorded);
      if (found !== undefined && isNew) this.#live.set(recorded, found);
    }
  }

  /** Returns the text of a request with live values. The paths `kept` already have live values. */
  apply({ index, json }: SessionEntry, text: string, kept: readonly JsonPath[] = []): string {
    if (this.#live.size === 0) return text;
    const isKept = new Set(kept.map((path) => JSON.stringify(path)));
    const byPath = new ListMap<string, ReturnedValue>();
    for (const value of this.#sent.get(index) ?? []) byPath.add(JSON.stringify(value.sent.path), value);
    return [...byPath].reduce((changed, [key, values]) => {
      const { path } = values[0]!.sent;
      return isKept.has(key) ? changed : this.#withLive(changed, valueAt(json?.value, path), values);
    }, text);
  }

  #withLive(text: string, recorded: unknown, values: readonly ReturnedValue[]): string {
    const span = locate(text, values[0]!.sent.path);
    const whole = textOf(recorded);
    if (span === undefined || whole === undefined) return text;
    // Keeps an id as recorded if the whole id has no live value: with a live part it would be no id of the live server.
    const isWhole = values.some(({ sent }) => sent.span === undefined);
    const live = isWhole ? (this.#live.get(whole) ?? whole) : this.#withLiveParts(whole, values);
    if (live === whole) return text;
    const isNumber = (typeof recorded === 'number' || this.#numbers.has(whole)) && /^-?\d+(?:\.\d+)?$/.test(live);
    return text.slice(0, span.start) + (isNumber ? live : JSON.stringify(live)) + text.slice(span.end);
  }

  #withLiveParts(whole: string, values: readonly ReturnedValue[]): string {
    return values
      .flatMap(({ sent: { span } }) => span ?? [])
      .sort((a, b) => b.start - a.start)
      .reduce((text, { start, end }) => {
        const live = this.#live.get(whole.slice(start, end));
        return live === undefined ? text : text.slice(0, start) + live + text.slice(end);
      }, whole);
  }
}

/** Reports whether a value is a placeholder of a secret. */
function isOfSecret({ recorded }: Pick<ReturnedValue, 'recorded'>): boolean {
  return isRedacted(recorded);
}

/** A recorded answer, its live counterpart, and the ignored expressions. */
interface AnswerPair {
  recorded: unknown;
  live: unknown;
  patterns: readonly LinearRegex[];
  /** Whether the live answer has secrets in place of the recorded placeholders. */
  isClear?: boolean;
}

/** Returns the live texts in the places of recorded values. Undefined for a place whose surrounding text differs. */
function livePlaces(
  values: readonly ReturnedValue[],
  { recorded, live, patterns, isClear = false }: AnswerPair,
): Map<ValuePlace, string | undefined> {
  const byPath = new ListMap<string, ValuePlace>();
  for (const { returned, alsoReturned = [], isListed } of values)
    for (const place of [returned, ...alsoReturned])
      if (!isListed || isSameItem(place.path, recorded, live)) byPath.add(JSON.stringify(place.path), place);
  const lives = new Map<ValuePlace, string | undefined>();
  for (const places of byPath.values()) {
    const { path } = places[0]!;
    const [before, now] = [recorded, live].map((message) => textOf(valueAt(message, path)));
    if (before === undefined || now === undefined) continue;
    const spans = places.map(({ span = { start: 0, end: before.length } }) => span);
    const others = isClear
      ? placeholdersIn(before).filter((one) => !spans.some(({ start }) => start === one.start))
      : [];
    const found = valuesInPlaces([...spans, ...others], { recorded: before, live: now, patterns });
    // A whole secret may have blanks, unlike an id.
    const whole = isClear && now !== '' ? now : undefined;
    for (const [index, place] of places.entries())
      lives.set(place, found[index] ?? (place.span === undefined ? whole : undefined));
  }
  return lives;
}

/** Reports whether the item of a live list around a path has the name of the recorded one, apart from ids in the names. */
export function isSameItem(path: JsonPath, recorded: unknown, live: unknown): boolean {
  const [before, now] = [recorded, live].map((message) => valueAt(message, [...path.slice(0, 3), 'name']));
  if (typeof before !== 'string') return true;
  const frameOf = (name: string) => JSON.stringify(partsOf(name).map(({ kind, text }) => kind === 'literal' && text));
  return typeof now === 'string' && (now === before || frameOf(now) === frameOf(before));
}

/** A value in the params of a request. */
interface SentValue {
  value: string;
  place: ValuePlace;
}

/** Returns the values in the params of a client's request that look like ids. */
export function sentValues(request: SessionEntry): SentValue[] {
  const values: SentValue[] = [];
  for (const { text, path } of sentTexts(request)) {
    const place = { entry: request.index, path };
    const secrets = placeholdersIn(text);
    const isMore = secrets.length > 0 && (secrets.length > 1 || secrets[0]!.end - secrets[0]!.start < text.length);
    if (isLikelyId(text) && !isMore) values.push({ value: text, place });
    const isApart = ({ start, end }: Span) => secrets.every((one) => end <= one.start || start >= one.end);
    for (const span of [...secrets.map(({ start, end }) => ({ start, end })), ...idSpans(text).filter(isApart)])
      if (span.end - span.start < text.length)
        values.push({ value: text.slice(span.start, span.end), place: { ...place, span } });
  }
  return values;
}

/** Returns the texts and numbers in the params of a client's request that may repeat values of earlier answers. */
export function sentTexts({ from, message }: SessionEntry): { text: string; path: JsonPath }[] {
  if (from !== 'client' || !isRequest(message)) return [];
  const params = Object.entries(paramsOf(message)).filter(([name]) => !OTHER_ROLES.has(name));
  return [...leavesOf(Object.fromEntries(params), ['params'])].flatMap(({ value, path }) => {
    const text = textOf(value);
    return text === undefined ? [] : [{ text, path }];
  });
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}
