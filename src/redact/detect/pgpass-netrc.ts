import { MAY_HOLD, mark, type TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import { type SecretMatch, secretsAtEnd } from '../replace/secret-match.ts';
import { isPlausible, looksGenerated } from './plausibility.ts';

/** Line of `.pgpass`: host, port, database, user, password. Only the ports of servers and poolers match. */
const PGPASS = /(?<=^|[ \t\r\n])[\w.*-]{1,255}:(?:5432|6432|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:([^\s"'`]+)/g;
// With a colon, because numbers alone occur in too many messages.
const PORT_GRAMS = ['32:', ':*:'];

/** Entry of `.netrc`, perhaps on several lines. */
const NETRC =
  /\b(?:machine\s{1,64}[^\s"']{1,256}|default)\s{1,64}login\s{1,64}[^\s"']{1,256}\s{1,64}(?:account\s{1,64}[^\s"']{1,256}\s{1,64})?password\s{1,64}([^\s"'`\\]+)/g;

export function markPorts(marks: TrigramTable): void {
  for (const gram of PORT_GRAMS) mark(marks, gram, MAY_HOLD.tool);
}

/** Finds passwords in lines of `.pgpass`. */
export function pgpassPasswords(text: string): SecretMatch[] {
  return secretsAtEnd('pgpass', text, PGPASS, (word) => isPlausible(word, 'sure') && looksGenerated(word));
}

/** Finds passwords in entries of `.netrc`, including those that look like words. */
export function netrcPasswords(text: string): SecretMatch[] {
  return text.includes('login') ? secretsAtEnd('netrc', text, NETRC, (word) => isPlausible(word, 'sure')) : [];
}
