import type { Span } from '../../protocol/json-scan.ts';
import type { SecretMatch } from '../replace/secret-match.ts';
import { credentialNamed } from './credential-names.ts';
import { looksGenerated, looksRandom } from './plausibility.ts';
import { secretsWithin } from './secrets-in-credential.ts';

/**
 * A name in quotes that a list, or the arguments of a call, has before a value in the same quotes. What stands before a quote
 * is looked at behind it: a look back from each character takes ten times as long.
 */
const LISTED =
  /(["'`])(?<=[[(,]\s{0,8}b?\\{0,8}\1)([A-Za-z][\w.-]{1,63})\\{0,8}\1\s{0,8},\s{0,8}b?\\{0,8}\1([^"'`\\\n]{6,4096})(?=\\{0,8}\1)/dg;

/** Secrets in a text that the name before them in a list gives away: `['X-Api-Key', '…']`, `(b'X-Api-Key', b'…')`, `set("Authorization", "…")`. */
export function secretsInQuotedPairs(text: string): SecretMatch[] {
  if (!text.includes(',')) return [];
  return [...text.matchAll(LISTED)].flatMap(({ 2: name = '', 3: value = '', indices }) => {
    const [at] = indices![3]!;
    return secretsBeside(name, value).map(({ start, end }) => ({ name, start: at + start, end: at + end }));
  });
}

/**
 * What of a value that stands behind a name in a list is secret. Lists of names are more common, in which one stands behind
 * the other: so it must look like no name.
 */
export function secretsBeside(name: string, value: string): Span[] {
  const certainty = credentialNamed(name);
  if (certainty === undefined) return [];
  const isLikely = HEADER.test(name) ? looksGenerated : looksRandom;
  return secretsWithin(name, value, certainty).filter(({ start, end }) => isLikely(value.slice(start, end)));
}

/** Named as headers are, and nothing else is. */
const HEADER = /^(?:x-[\w-]+|(?:proxy-)?authorization|(?:set-)?cookie2?|dpop)$/i;
