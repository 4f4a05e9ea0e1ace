import { BASE64_LENGTH_MIN } from '../fast-prefilter/trigram-scan.ts';

/** Maximum number of times that a value is URL-decoded. */
const DECODED_MAX = 8;

/** Returns a value decoded, URL-encoded once, URL-encoded twice, and so on. */
export function urlDecodings(value: string): [plain: string, ...encoded: string[]] {
  const spellings: [string, ...string[]] = [value];
  for (let times = 0; times < DECODED_MAX; times++) {
    const decoded = percentDecoded(spellings[0]);
    if (decoded === spellings[0]) break;
    spellings.unshift(decoded);
  }
  return spellings;
}

function percentDecoded(value: string): string {
  try {
    return value.includes('%') ? decodeURIComponent(value) : value;
  } catch {
    return value;
  }
}

/** A spelling of a value, and how its placeholder is spelled. */
export type Spelling = readonly [spelling: string, encode: (placeholder: string) => string];

/** Returns the spellings to search for. Other encodings are decoded before the search. */
export function spellingsOf(value: string): Spelling[] {
  const encodings: readonly ((text: string) => string)[] = [
    (text) => Buffer.from(text).toString('base64url'),
    (text) => Buffer.from(text).toString('base64'),
    (text) => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ];
  return [
    ...[
      value,
      JSON.stringify(value).slice(1, -1),
      value.replaceAll(' ', '+'),
      inHtml(value),
      Buffer.from(value).toString('latin1'),
    ].map((spelling): Spelling => [spelling, String]),
    ...encodings.map((encode): Spelling => [encode(value), (placeholder) => encodedPlaceholder(placeholder, encode)]),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function inHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/**
 * Returns an encoded placeholder, or the plain one if its name is so short that nobody would find it in its encoding. Its
 * number has no influence, since equal secrets may have other numbers in another session.
 */
export function encodedPlaceholder(placeholder: string, encode: (text: string) => string): string {
  const shortest = encode(placeholder.replace(/:\d+\]$/, ':1]')).replace(/=+$/, '');
  return shortest.length < BASE64_LENGTH_MIN ? placeholder : encode(placeholder);
}
