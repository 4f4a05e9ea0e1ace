import type { Span } from '../../protocol/json-scan.ts';

/** Secret in a text, with its name. */
export interface SecretMatch extends Span {
  /** Key of the secret, or the kind of token. */
  name: string;
}

/**
 * Finds secrets in a text: the last group of each match, if `isSecret` accepts it. The group must be the end of the match.
 * The flag `d` tells where any group is, and takes five times the time for a text of many secrets.
 */
export function secretsAtEnd(
  name: string,
  text: string,
  pattern: RegExp,
  isSecret: (value: string, match: RegExpExecArray) => boolean,
): SecretMatch[] {
  const finds: SecretMatch[] = [];
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const value = match.at(-1) ?? '';
    if (isSecret(value, match)) finds.push({ name, start: end - value.length, end });
  }
  return finds;
}

/** Returns the span of the first group, or of the whole match. The expression needs the flag `d`. */
export function secretOf(match: RegExpMatchArray): Span {
  const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
  return { start, end };
}
