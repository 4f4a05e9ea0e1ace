import { BASE64_LENGTH_MIN } from '../fast-prefilter/trigram-scan.ts';

/**
 * Returns an encoded placeholder, or the plain one if its name is so short that nobody would find it in its encoding. Its
 * number has no influence, since equal secrets may have other numbers in another session.
 */
export function encodedPlaceholder(placeholder: string, encode: (text: string) => string): string {
  const shortest = encode(placeholder.replace(/:\d+\]$/, ':1]')).replace(/=+$/, '');
  return shortest.length < BASE64_LENGTH_MIN ? placeholder : encode(placeholder);
}
