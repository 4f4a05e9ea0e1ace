import type { Ignore } from '../../match/ignore-rules.ts';
import { identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { MASKED, PLACEHOLDERS, wasRedacted } from '../../redact/replace/mask-for-compare.ts';
import type { RecordedRequest } from './recorded-request.ts';

/**
 * Returns the key by which a live message is looked up. A client that repeats placeholders of the cassette means the
 * values of these numbers, and no others.
 */
export function liveKey(live: JsonText, ignore: readonly Ignore[]): string {
  const { key } = identityOf(live, ignore);
  return numberedKey(live, key) ?? key;
}

/** Returns the keys of a recorded message: with its secrets masked, and with the numbers of its placeholders. */
export function recordedKeys({ entry, identity: { key } }: RecordedRequest): string[] {
  const numbered = numberedKey(entry.json, key);
  return numbered === undefined ? [key] : [key, numbered];
}

/**
 * Returns the identity key of a message with all its placeholders. Undefined: it has none whose secret is masked, or has
 * other secrets, too, whose numbers nobody knows.
 */
function numberedKey(message: JsonText, key: string): string | undefined {
  if (!wasRedacted(message.text)) return undefined;
  const masked = key.split(MASKED).length - 1;
  const numbered = identityOf(message).key.match(PLACEHOLDERS) ?? [];
  return masked > 0 && numbered.length === masked ? `${key} ${numbered.join(' ')}` : undefined;
}
