import type { Span } from '../../protocol/json-scan.ts';
import type { SecretMatch } from '../replace/secret-match.ts';
import { credentialNamed } from './credential-names.ts';
import { looksGenerated, looksRandom } from './plausibility.ts';
import { secretsWithin } from './secrets-in-credential.ts';

/**
 * Quoted name before a value in the same quotes, in a list or in call arguments. The lookbehind follows the quote,
 * because a lookbehind at each character takes ten times as long.
 */
const LISTED =
  /(["'`])(?<=[[(,]\s{0,8}b?\\{0,8}\1)([A-Za-z][\w.-]{1,63})\\{0,8}\1\s{0,8},\s{0,8}b?\\{0,8}\1([^"'`\\\n]{6,4096})(?=\\{0,8}\1)/dg;

/**
 * Finds secrets after their quoted names in lists: `['X-Api-Key', '…']`, `(b'X-Api-Key', b'…')`, `set("Authorization",
 * "…")`.
 */
export function secretsInListedPairs(text: string): SecretMatch[] {
  if (!text.includes(',')) return [];
  return [...text.matchAll(LISTED)].flatMap(({ 2: name = '', 3: value = '', indices }) => {
    const [at] = indices![3]!;
    return secretsBeside(name, value).map(({ start, end }) => ({ name, start: at + start, end: at + end }));
  });
}

/**
 * Returns the secret spans of a value that follows a name in a list. Lists of names are more common than such pairs, so
 * the value must not look like a name.
 */
export function secretsBeside(name: string, value: string): Span[] {
  const certainty = credentialNamed(name);
  if (certainty === undefined) return [];
  const isLikely = HEADER.test(name) ? looksGenerated : looksRandom;
  return secretsWithin(name, value, certainty).filter(({ start, end }) => isLikely(value.slice(start, end)));
}

/** Names that only headers have. */
const HEADER = /^(?:x-[\w-]+|(?:proxy-)?authorization|(?:set-)?cookie2?|dpop)$/i;
