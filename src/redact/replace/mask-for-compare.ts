import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { MASKED } from '../comparison-mask-format.ts';
import { allPlaceholdersIn } from '../decode/find-encoded-placeholders.ts';
import type { Redactor } from '../redactor.ts';
import { equalizePlaceholders, type WritePlaceholder } from './equalize-placeholders.ts';
import { PLACEHOLDER, placeholderOf } from './placeholder-format.ts';

/** Reports whether a text contains placeholders. */
export function wasRedacted(text: string): boolean {
  return text.includes('[redacted:');
}

/** Reports whether a message of a session contains placeholders. */
export function hasRedactedMessages(events: readonly { frame: Frame }[]): boolean {
  return events.some(({ frame }) => frame.kind === 'message' && wasRedacted(frame.json.text));
}

/** Masks secrets for comparison with a redacted cassette. */
export interface SecretMask {
  /** Makes all secrets equal, because their names and numbers differ between sessions. */
  (message: unknown): unknown;
  /** Writes each secret as a `NUMBERED_SECRET`. */
  numbered(message: unknown): unknown;
}

/** Returns a function that masks secrets, also in base64 and hexadecimal, for comparison with a redacted cassette. */
export function maskSecrets(redactor: Pick<Redactor, 'json'>): SecretMask {
  const redacted = (text: string) => redactor.json(new JsonText(text)).value;
  const mask = (message: unknown) => withPlaceholders(redacted(JSON.stringify(message)), () => MASKED);
  const numbered = (message: unknown) => {
    const plain = JSON.stringify(message);
    const text = plain.replace(PLACEHOLDER, setApart);
    // Reserves the numbers for the placeholders of the message.
    if (text !== plain) redacted(JSON.stringify(plain.match(PLACEHOLDER)));
    const written = new Set(allPlaceholdersIn(text).map(({ name, n }) => placeholderOf(name, n)));
    return withPlaceholders(redacted(text), ({ name, n }) => {
      if (n >= APART) return `[recorded ${name}:${n - APART}]`;
      return `[${written.has(placeholderOf(name, n)) ? 'recorded' : 'live'} ${name}:${n}]`;
    });
  };
  return Object.assign(mask, { numbered });
}

/** Added to the numbers of placeholders that a message has before redaction. No redactor gives such numbers to values. */
const APART = 900_000_000;

/** Gives a placeholder a number that no value of this run can have. */
function setApart(placeholder: string, name: string, n: string): string {
  const number = Number(n);
  return number < 1_000_000_000 - APART ? placeholderOf(name, number + APART) : placeholder;
}

/** Returns a value with all its placeholders, in strings and in keys, as `write` gives them. */
function withPlaceholders(value: unknown, write: WritePlaceholder): unknown {
  if (typeof value === 'string') return equalizePlaceholders(value, write);
  if (Array.isArray(value)) return value.map((item) => withPlaceholders(item, write));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [equalizePlaceholders(key, write), withPlaceholders(item, write)]),
  );
}
