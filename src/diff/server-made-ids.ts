import type { Links } from '../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../kernel/validate-fields.ts';
import { isDeeplyNested } from '../match/nesting-depth.ts';
import { identityOf } from '../match/request-identity.ts';
import { isRequest, isResponse } from '../protocol/message.ts';
import { collectedField } from '../protocol/method-table.ts';
import { returnedValues } from '../replay/tokens/returned-values.ts';

/** Entries of a session, and which answers which. */
export interface LinkedEntries {
  entries: readonly SessionEntry[];
  links: Pick<Links, 'requestOf'>;
}

/**
 * Returns the values of a session that its server may have made up as ids: those that the client sends back, as
 * `verify` finds them, and those of a random form that the answers to different requests have.
 */
export function serverMadeIds({ entries, links }: LinkedEntries): Map<string, IdUse> {
  if (entries.some(({ message }) => isDeeplyNested(message))) return new Map();
  const sentBack = returnedValues(entries, links).map(({ recorded }) => recorded);
  return new Map([
    ...repeatedIds({ entries, links }).map((id) => [id, 'repeated'] as const),
    ...sentBack.filter((value) => !MEASURE.test(value)).map((id) => [id, 'sent back'] as const),
  ]);
}

/** Who uses an id that the server has sent: its client, or the server itself. */
export type IdUse = 'sent back' | 'repeated';

/** A price, a version or a duration. It is no id, although clients send some of them back. */
const MEASURE = /^\d+(?:\.\d+)+$|^\d+(?:\.\d+)?(?:[num\u00b5]?s|min|h)$/;

/**
 * Returns ids of a random form that the server sends in answers to different requests, or in an answer and in a message
 * of its own. An equal request that has an equal answer shows no id: the answer may be computed from it.
 */
function repeatedIds({ entries, links }: LinkedEntries): string[] {
  /** Identity of the request whose answer had the id first, by id. */
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

/** Reports whether a request is one of the client whose answer may have ids: the names in lists are the server's interface. */
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
