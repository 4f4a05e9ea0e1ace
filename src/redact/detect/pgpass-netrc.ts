import { MAY_HOLD, mark, type TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import { type SecretMatch, secretOf } from '../replace/secret-match.ts';
import { isPlausible, looksGenerated } from './plausibility.ts';

/** A line of `.pgpass`: host, port, database, user, password. Of ports those that servers and their poolers have. */
const PGPASS = /(?<=^|\s)[\w.*-]{1,255}:(?:5432|6432|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:([^\s"'`]+)/dg;
// With their colon: numbers alone are in every message that counts.
const PORT_GRAMS = ['32:', ':*:'];

/** An entry of `.netrc`, which may take several lines. */
const NETRC =
  /\b(?:machine\s{1,64}[^\s"']{1,256}|default)\s{1,64}login\s{1,64}[^\s"']{1,256}\s{1,64}(?:account\s{1,64}[^\s"']{1,256}\s{1,64})?password\s{1,64}([^\s"'`\\]+)/dg;

export function markPorts(marks: TrigramTable): void {
  for (const gram of PORT_GRAMS) mark(marks, gram, MAY_HOLD.tool);
}

/** Passwords in lines of `.pgpass`. */
export function pgpassPasswords(text: string): SecretMatch[] {
  return found('pgpass', text, PGPASS).filter(({ start, end }) => looksGenerated(text.slice(start, end)));
}

/** Passwords in entries of `.netrc`, also those that look like words. */
export function netrcPasswords(text: string): SecretMatch[] {
  return text.includes('login') ? found('netrc', text, NETRC) : [];
}

function found(name: string, text: string, pattern: RegExp): SecretMatch[] {
  return [...text.matchAll(pattern)]
    .map((match) => ({ name, ...secretOf(match) }))
    .filter(({ start, end }) => isPlausible(text.slice(start, end), 'sure'));
}
