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
  const start = SCHEME.exec(value)?.[0].length ?? 0;
  return isPlausible(value.slice(start), certainty) ? [{ start, end: value.length }] : [];
}

/** Returns the span of a lone cookie value. It may also be the name of a cookie. */
function lone(value: string): Span[] {
  return looksGenerated(value) && isPlausible(value, 'sure') ? [{ start: 0, end: value.length }] : [];
}

// A name begins after a separator: matching at each character of a long word would take quadratic time.
const COOKIE = /(?<![^=;,\s"])([^=;,\s]+)=("?)([^;"]*)/g;
/** One of several values that `fetch` joins with commas. */
const SET_COOKIE = /(?<![^=;,\s"])([^=;,\s]+)=("?)((?:[^;",]|,(?!\s{0,8}[\w.-]{1,64}=))*)/g;

function cookies(header: string, value: string): Span[] {
  return [...value.matchAll(/^set/i.test(header) ? SET_COOKIE : COOKIE)]
    .filter(([, name = '', , cookie = '']) => !ATTRIBUTE.test(name) && isPlausible(cookie, 'sure'))
    .map(({ 0: all, 3: cookie = '', index }) => ({
      start: index + all.length - cookie.length,
      end: index + all.length,
    }));
}
