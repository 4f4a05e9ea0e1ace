import type { Links } from '../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../kernel/validate-fields.ts';
import { isDeeplyNested } from '../match/nesting-depth.ts';
import { identityOf } from '../match/request-identity.ts';
import { isRequest, isResponse } from '../protocol/message.ts';
import { collectedField } from '../protocol/method-table.ts';
import { returnedValues } from '../replay/tokens/returned-values.ts';

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
  const sentBack = returnedValues(entries, links).map(({ recorded }) => recorded);
  return new Map([
    ...repeatedIds({ entries, links }).map((id) => [id, 'repeated'] as const),
    ...sentBack.filter((value) => !MEASURE.test(value)).map((id) => [id, 'sent back'] as const),
  ]);
}

/** Evidence for an id: the client sends it back, or the server repeats it. */
export type IdUse = 'sent back' | 'repeated';

/** A price, a version or a duration. Clients send some of these back, but they are not ids. */
const MEASURE = /^\d+(?:\.\d+)+$|^\d+(?:\.\d+)?(?:[num\u00b5]?s|min|h)$/;

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
    const origin = request && isCall(request) ? identityOf(request.json!).key : undefined;
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
