import type { Span } from '../../protocol/json-scan.ts';

/** Secret in a text, with its name. */
export interface SecretMatch extends Span {
  /** Key of the secret, or the kind of token. */
  name: string;
}

/** Returns the span of the first group, or of the whole match. The expression needs the flag `d`. */
export function secretOf(match: RegExpMatchArray): Span {
  const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
  return { start, end };
}
