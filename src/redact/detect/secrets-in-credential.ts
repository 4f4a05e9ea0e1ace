import type { Span } from '../../protocol/json-scan.ts';
import type { Certainty } from './credential-names.ts';
import { isPlausible, looksGenerated } from './plausibility.ts';

const SCHEME = /^\s*(?:bearer|basic|token|digest|apikey|dpop|negotiate|aws4-hmac-sha256)\s+(?=\S)/i;
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority|version)$/i;

/**
 * Returns the secret spans of a credential's value. The scheme of `Authorization` and the names and attributes of
 * cookies are not secret.
 */
export function secretsWithin(name: string, value: string, certainty: Certainty): Span[] {
  if (/cookie/i.test(name)) return value.includes('=') ? cookies(name, value) : lone(value);
  if (/^[A-Za-z]{1,24} $/.test(value)) return [];
  const start = SCHEME.exec(value)?.[0].length ?? 0;
  return isPlausible(value.slice(start), certainty) ? [{ start, end: value.length }] : [];
}

/**
 * Returns the span of a cookie value without a name, if its text looks generated. Other text may be the name of a
 * cookie.
 */
function lone(value: string): Span[] {
  return looksGenerated(value) && isPlausible(value, 'sure') ? [{ start: 0, end: value.length }] : [];
}

// A name begins after a separator: matching at each character of a long word would take quadratic time.
const COOKIE = /(?<![^=;,\s"])([^=;,\s]+)="?/g;
const COOKIE_END = /[;"]/g;
/** End of one of several values that `fetch` joins with commas. */
const SET_COOKIE_END = /[;"]|,(?=\s{0,8}[\w.-]{1,64}=)/g;

/** Reports whether the value of a cookie can be a secret. A word is a setting: `theme=dark`. */
function isCookie(value: string): boolean {
  const isWord = /^\*?[A-Za-z][a-z-]*[)\]]*$/.test(value) && !looksGenerated(value);
  return !isWord && isPlausible(value, 'sure');
}

function cookies(header: string, value: string): Span[] {
  const spans: Span[] = [];
  const ending = /^set/i.test(header) ? SET_COOKIE_END : COOKIE_END;
  for (let match = next(COOKIE, value, 0); match !== null; match = next(COOKIE, value, spanOf(match).end)) {
    const span = spanOf(match);
    if (!ATTRIBUTE.test(match[1]!) && isCookie(value.slice(span.start, span.end))) spans.push(span);
  }
  return spans;

  /**
   * Searches the ending separately. With lookahead, a single expression would need state for each character before it.
   */
  function spanOf({ 0: head, index }: RegExpExecArray): Span {
    const start = index + head.length;
    return { start, end: next(ending, value, start)?.index ?? value.length };
  }
}

function next(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
