import { type SecretMatch, secretsAtEnd } from '../replace/secret-match.ts';
import { credentialNamed } from './credential-names.ts';
import { isPlausible, looksGenerated, looksRandom } from './plausibility.ts';

/** Names of credentials in the query of a URL or the body of a form (RFC 6749 §4). Elsewhere they are common words. */
export const QUERY_NAMES: RegExp =
  /^(?:code|key|sig|signature|sid|session|session_?id|ticket|assertion|code_verifier|x-amz-(?:signature|security-token|credential)|x-goog-signature)$/i;

/** Query parameters that serve only to sign a URL. */
const SIGNED = /^(?:sig|x-(?:amz|goog)-(?:signature|security-token))$/i;
const FIELD = /(?<=^|[?&#;])([\w.~%[\]-]{1,64})=([^&#\s;]*)/g;
const QUERY = /[?#][\w.~%[\]-]{1,64}=[^\s"'`<>\\]{1,8192}/g;

/** Reports whether a query value is an identifier or hash that a service issued as a key. */
function isKeyInQuery(value: string): boolean {
  return value.length >= 20 && looksRandom(value) && /^[\w-]+$/.test(value);
}

/**
 * Finds credentials in the URLs of a text. A `code` counts only beside a `state` (RFC 6749 §4.1.2); elsewhere it may be
 * a country or a voucher.
 */
export function queryCredentials(text: string): SecretMatch[] {
  if (!text.includes('?') && !text.includes('#')) return [];
  return [...text.matchAll(QUERY)].flatMap(({ 0: query, index }) =>
    fieldsWithCredentials(query)
      .filter(
        ({ name, start, end }) =>
          SIGNED.test(name) ||
          (name === 'key' && isKeyInQuery(query.slice(start, end))) ||
          (name === 'code' && /[?&#]state=/.test(query)),
      )
      .map(({ name, start, end }) => ({ name, start: index + start, end: index + end })),
  );
}

/** Finds credentials in the `name=value` fields of a URL's query or fragment, or of a form. */
export function fieldsWithCredentials(text: string): SecretMatch[] {
  const finds: SecretMatch[] = [];
  for (const { 0: all, 1: name = '', 2: value = '', index } of text.matchAll(FIELD)) {
    const certainty = credentialNamed(name);
    const isNamed = certainty !== undefined && certainty !== 'if session';
    const isSecret = isNamed ? isPlausible(value, certainty) : QUERY_NAMES.test(name) && looksGenerated(value);
    const end = index + all.length;
    if (isSecret) finds.push({ name, start: end - value.length, end });
  }
  return finds;
}

// The user has a limited length, and neither part contains the end of a URL's authority. A password may contain `@`.
const USER_INFO = /:\/\/([^\s/?#"'`<>@:[\]{}\\]{0,128}):([^\s/?#"'`<>\\]{1,512})(?=@[\w[\].%-])/g;
const LONE_TOKEN = /https?:\/\/([^\s/?#"'`<>@:[\]{}\\]{12,512})(?=@[\w[\].%-])/g;

/** Password that only shows where one belongs, or a template. */
const SHOWN_PASSWORD = /^(?:\d{1,5}$|\$|%s|\*+$|<|\{|x{3,}$|(?:REPLACE|CHANGE)[-_]|INSERT[-_])/i;

/** Minimum length of a random user name that is a token, beside a word such as `x-oauth-basic`. */
const TOKEN_LENGTH_MIN = 20;

/** Finds passwords and tokens before the host of a URL or connection string: `postgres://user:password@host`. */
export function urlCredentials(text: string): SecretMatch[] {
  if (!text.includes('@') || !text.includes('://')) return [];
  const users: SecretMatch[] = [];
  const passwords = secretsAtEnd('url-password', text, USER_INFO, (password, { 1: user = '', index }) => {
    const isShown = /user|redacted/i.test(user) && /^(?:my|your)?[-_]?(?:password|redacted)$/i.test(password);
    const isDefault = user === password && !looksRandom(password);
    if (isShown || isDefault || SHOWN_PASSWORD.test(password)) return false;
    const start = index + '://'.length;
    if (user.length >= TOKEN_LENGTH_MIN && looksRandom(user))
      users.push({ name: 'url-token', start, end: start + user.length });
    return true;
  });
  return [...users, ...passwords, ...secretsAtEnd('url-token', text, LONE_TOKEN, looksGenerated)];
}
