import type { Links } from '../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../kernel/validate-fields.ts';
import { isDeeplyNested } from '../match/nesting-depth.ts';
import { askedKey } from '../match/request-identity.ts';
import { isRequest, isResponse } from '../protocol/message.ts';
import { collectedField } from '../protocol/method-table.ts';
import { valueAt } from '../protocol/scalar-key.ts';
import { type ReturnedValue, returnedValues, textOf } from '../replay/tokens/returned-values.ts';

/** Entries of a session, and the links between requests and responses. */
export interface LinkedEntries {
  entries: readonly SessionEntry[];
  links: Pick<Links, 'requestOf'>;
}

/**
 * Returns the values of a session that its server probably issued as ids: values that the client sends back (as in
 * `verify`), and random-looking values that occur in answers to different requests.
 */
export function serverMadeIds({ entries, links }: LinkedEntries): Map<string, IdUse> {
  if (entries.some(({ message }) => isDeeplyNested(message))) return new Map();
  const sentBack = returnedValues(entries, links).filter((value) => !isOfMeasure(value, entries));
  return new Map([
    ...repeatedIds({ entries, links }).map((id) => [id, 'repeated'] as const),
    ...sentBack.map(({ recorded }) => [recorded, 'sent back'] as const),
  ]);
}

/** Evidence for an id: the client sends it back, or the server repeats it. */
export type IdUse = 'sent back' | 'repeated';

/** Parts of expressions. A number may have separators: `1,299.00`. */
const NUMBER = String.raw`\d+(?:[.,']\d+)*`;
const VERSION_END = String.raw`(?:\.?(?:a|b|c|rc|alpha|beta|pre|dev|post)\.?\d*)?(?:[-+][\w.+-]+)?`;

/** Forms of measures. Clients send some of these back, but they are not ids. */
const MEASURE = new RegExp(
  [
    // Numbers, also with a currency: `19.90`, `$19.90`, `1,299.00 EUR` without the blank.
    String.raw`[-+]?\d+(?:[.,']\d+)+(?:[A-Z]{3})?`,
    String.raw`[-+]?[A-Z]{3}[-+]?\d+(?:[.,']\d+)+`,
    String.raw`[-+]?[A-Z]{0,3}\p{Sc}[-+]?${NUMBER}`,
    String.raw`[-+]?${NUMBER}\p{Sc}`,
    // Versions, also in a range or of a package: `v1.2.3`, `1.2.3-rc.1+5`, `2026.11`, `^1.2.3`, `weather@1.2.3`.
    String.raw`(?:[\w./@-]+@)?[\^~<>=]*[vV]?\d+(?:\.\d+)+${VERSION_END}`,
    // Durations, sizes and shares: `12ms`, `1h30m`, `PT1H30M`, `1.5GB`, `99.95%`.
    String.raw`(?:\d+(?:\.\d+)?(?:[num\u00b5]?s|min|m|h|d))+`,
    String.raw`P(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])+)?`,
    `[-+]?${NUMBER}(?:[kKMGTP]i?B|%)`,
  ]
    .map((form) => `^${form}$`)
    .join('|'),
  'u',
);

/** Reports whether a value is a price, a version, a duration, a size or a share. */
export function isMeasure(value: string): boolean {
  return MEASURE.test(value);
}

/** Characters around a value in a text, such as a blank, a quote, or the slash of a URI. */
const DELIMITERS = '\\s"\'`()[\\]{};|&?/';
/** Maximum number of characters on each side of a value that belong to its word. */
const AROUND_MAX = 100;
const [WORD_BEFORE, WORD_AFTER] = [new RegExp(`[^${DELIMITERS}]*$`), new RegExp(`^[^${DELIMITERS}]*`)];

/** Reports whether a sent value is a measure, or a part of one, such as `beta20261129` in `1.2.3-beta20261129`. */
function isOfMeasure({ recorded, sent }: ReturnedValue, entries: readonly SessionEntry[]): boolean {
  if (isMeasure(recorded)) return true;
  const text = textOf(valueAt(entries[sent.entry]?.message, sent.path));
  if (sent.span === undefined || text === undefined) return false;
  const { start, end } = sent.span;
  const [before, after] = [
    WORD_BEFORE.exec(text.slice(Math.max(0, start - AROUND_MAX), start)),
    WORD_AFTER.exec(text.slice(end, end + AROUND_MAX)),
  ];
  return isMeasure(`${before}${recorded}${after}`.replace(/[.,:]+$/, ''));
}

/**
 * Returns random-looking ids that the server sends in answers to different requests, or in an answer and in a message
 * without a request. Equal answers to equal requests are no evidence, because the server may compute the value from the
 * request.
 */
function repeatedIds({ entries, links }: LinkedEntries): string[] {
  /** Identity of the request whose answer introduced an id, by id. */
  const origins = new Map<string, string>();
  const repeated = new Set<string>();
  const others = new Set<string>();
  for (const entry of entries) {
    const ids = randomWordsIn(entry.message);
    if (ids.length === 0) continue;
    const request = isResponse(entry.message) ? entries[links.requestOf.get(entry.index) ?? -1] : undefined;
    const origin = request && isCall(request) ? askedKey(request.json!) : undefined;
    for (const id of ids) {
      const first = origins.get(id);
      if (entry.from === 'client') others.add(id);
      else if (first !== undefined && first !== origin) repeated.add(id);
      else if (origin === undefined) others.add(id);
      else origins.set(id, origin);
    }
  }
  return [...repeated].filter((id) => !others.has(id));
}

/**
 * Reports whether an entry is a client's request whose answer may introduce ids. Lists are left out, because their
 * names belong to the server's interface.
 */
function isCall({ from, message }: SessionEntry): boolean {
  if (from !== 'client' || !isRequest(message)) return false;
  return collectedField(message.method) === undefined && message.method !== 'initialize';
}

const WORD = /[0-9A-Za-z]+(?:[_-][0-9A-Za-z]+)*/g;
/** Minimum length of a word in which small and capital letters or digits alternate by chance. */
const MIXED_LENGTH_MIN = 16;
const CHANGES_MIN = 4;

function randomWordsIn(message: unknown): string[] {
  const found: string[] = [];
  for (const { value } of leavesOf(message, []))
    if (typeof value === 'string')
      for (const [word] of value.matchAll(WORD)) if (word.split(/[_-]/).some(isRandom)) found.push(word);
  return found;
}

/** Reports whether a word is hexadecimal with letters and digits, as in a UUID, or a long mix of both. */
function isRandom(word: string): boolean {
  if (!/\d/.test(word) || !/[A-Za-z]/.test(word)) return false;
  if (/^(?:[0-9a-f]{8,}|[0-9A-F]{8,})$/.test(word)) return true;
  if (word.length < MIXED_LENGTH_MIN) return false;
  return word.replaceAll(/\d+/g, '0').replaceAll(/[A-Za-z]+/g, 'a').length > CHANGES_MIN;
}
