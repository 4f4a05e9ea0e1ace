import type { Span } from '../../protocol/json-scan.ts';

/** A secret that was found in a text, and what it is called. */
export interface SecretMatch extends Span {
  /** The key that it stood under, or the kind of token that it looks like. */
  name: string;
}

/** Where the first group of a match lies, or all of it. The expression has the flag `d`. */
export function secretOf(match: RegExpMatchArray): Span {
  const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
  return { start, end };
}
