import { MAY_HOLD, mark, type TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import { type SecretMatch, secretsAtEnd } from '../replace/secret-match.ts';
import { isPlausible, looksGenerated } from './plausibility.ts';

const BEARER = /(?<![A-Za-z])bearer\s{1,4}([\w.~+/=-]{8}[\w.~+/=-]*)/gi;
const BASIC = /(?<![A-Za-z])basic\s{1,4}([A-Za-z0-9+/_-]{6}[A-Za-z0-9+/_-]*={0,2})/gi;

// User option of curl. The lookbehind follows the match, because a lookbehind at each character would be slow.
const USER =
  /-(?:u|-(?:proxy-)?user)(?<=(?:^|\s)-(?:u|-(?:proxy-)?user))[\s=]{1,4}["']?[^\s:"'\\]{1,64}:([^\s"'\\]{3}[^\s"'\\]*)/g;

/** Marks a trigram of each pattern. */
export function markSchemes(marks: TrigramTable): void {
  for (const gram of ['are', 'asi', '-u ', '-us', 'y-u']) mark(marks, gram, MAY_HOLD.scheme);
}

/**
 * Finds credentials after an authentication scheme: `Bearer …`, `Basic …` (RFC 6750, RFC 7617), `-u user:…`. Prose
 * about schemes does not match.
 */
export function bearerAndBasicCredentials(text: string): SecretMatch[] {
  return [
    ...secretsAtEnd('bearer', text, BEARER, (token, match) => looksGenerated(token) && !isParameter(match, text)),
    ...secretsAtEnd('basic', text, BASIC, (blob) => basicPassword(blob) !== undefined),
    ...secretsAtEnd('user-password', text, USER, (word) => looksGenerated(word) && isPlausible(word, 'sure')),
  ];
}

/**
 * Reports whether a match is a challenge parameter (RFC 9110 §11.6.1), such as `resource_metadata="…"`. Tokens contain
 * `=` only at their end.
 */
function isParameter({ 0: all, 1: token = '', index }: RegExpMatchArray, text: string): boolean {
  const isAssigned = /^[a-z][\w-]*=(?!=*$)/i.test(token);
  return (
    isAssigned || (token.endsWith('=') && /^\\{0,8}"/.test(text.slice(index! + all.length, index! + all.length + 9)))
  );
}

/** Decodes `user:password` from base64. Returns the password. Undefined for other contents. */
export function basicPassword(blob: string): string | undefined {
  const decoded = Buffer.from(blob, 'base64').toString();
  return /^[ -9;-~\u00a1-\ufffc]*:([ -~\u00a1-\ufffc]+)$/.exec(decoded)?.[1];
}
