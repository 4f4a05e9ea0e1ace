import type { SecretMatch } from '../replace/secret-match.ts';
import { credentialNamed } from './credential-names.ts';
import { looksGenerated } from './plausibility.ts';
import { secretsWithin } from './secrets-in-credential.ts';

/** Comparison after a value. The value is searched backwards from its closing quote. */
const COMPARED = /(["'`])\s{0,4}[!=]={1,2}\s{0,4}([A-Za-z_$][\w.$]{1,64})/g;
const VALUE_LENGTH_MIN = 6;
const VALUE_LENGTH_MAX = 256;

/** Finds secrets that are compared with a named value: `if ("…" == password)`. */
export function comparisons(text: string): SecretMatch[] {
  if (!text.includes('==') && !text.includes('!=')) return [];
  return [...text.matchAll(COMPARED)].flatMap(({ 1: quote = '', 2: name = '', index }) => {
    const certainty = credentialNamed(name);
    if (certainty === undefined) return [];
    const near = text.slice(Math.max(0, index - VALUE_LENGTH_MAX - 1), index).replace(/\\{1,8}$/, '');
    const value = near.slice(near.lastIndexOf(quote) + 1);
    const isValue = near.includes(quote) && value.length >= VALUE_LENGTH_MIN && !/["'`\\\n]/.test(value);
    if (!isValue || !looksGenerated(value)) return [];
    const at = text.lastIndexOf(value, index - value.length);
    return secretsWithin(name, value, certainty).map(({ start, end }) => ({ name, start: at + start, end: at + end }));
  });
}
