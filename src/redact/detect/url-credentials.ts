import { type SecretMatch, secretOf } from '../replace/secret-match.ts';
import { credentialNamed } from './credential-names.ts';
import { isPlausible, looksGenerated } from './plausibility.ts';

// Names that are common words elsewhere, and credentials in the query of a URL or the body of a form (RFC 6749 §4).
const QUERY_NAMES =
  /^(?:code|key|sig|signature|sid|session|session_?id|ticket|assertion|code_verifier|x-amz-(?:signature|security-token|credential)|x-goog-signature)$/i;

/** Query parameters that sign a URL and serve no other purpose. */
const SIGNED = /^(?:sig|x-(?:amz|goog)-(?:signature|security-token))$/i;
const QUERY = /[?#][\w.~%[\]-]{1,64}=[^\s"'`<>\\]{1,8192}/g;

/** The credentials in URLs that stand in a text. A `code` is one beside a `state` (RFC 6749 §4.1.2), elsewhere a country or a voucher. */
export function queryCredentials(text: string): SecretMatch[] {
  if (!text.includes('?') && !text.includes('#')) return [];
  return [...text.matchAll(QUERY)].flatMap(({ 0: query, index }) =>
    fieldsWithCredentials(query)
      .filter(({ name }) => SIGNED.test(name) || (name === 'code' && /[?&#]state=/.test(query)))
      .map(({ name, start, end }) => ({ name, start: index + start, end: index + end })),
  );
}

/** The credentials among the `name=value` fields of a URL's query or fragment, or of a form. */
export function fieldsWithCredentials(text: string): SecretMatch[] {
  return [...text.matchAll(/(?<=^|[?&#;])([\w.~%[\]-]{1,64})=([^&#\s;]*)/g)].flatMap(
    ({ 0: all, 1: name = '', 2: value = '', index }) => {
      const certainty = credentialNamed(name);
      const isSecret = certainty ? isPlausible(value, certainty) : QUERY_NAMES.test(name) && looksGenerated(value);
      return isSecret ? [{ name, start: index + all.length - value.length, end: index + all.length }] : [];
    },
  );
}

// The user is bounded, and neither part holds what ends the authority of a URL.
const USER_INFO = /:\/\/([^\s/?#"'`<>@:[\]{}\\]{0,128}):([^\s/?#"'`<>\\]{1,512}?)@(?=[\w[\].%-])/dg;
const LONE_TOKEN = /https?:\/\/([^\s/?#"'`<>@:[\]{}\\]{12,512})@(?=[\w[\].%-])/dg;

/** Passwords and tokens before the host of a URL or connection string: `postgres://user:password@host`. */
export function urlCredentials(text: string): SecretMatch[] {
  if (!text.includes('@') || !text.includes('://')) return [];
  const passwords = [...text.matchAll(USER_INFO)]
    .filter(([, , password = '']) => !/^(?:\d{1,5}$|\$|%s|\*+$|<|\{)/.test(password))
    .map(({ indices }) => ({ name: 'url-password', start: indices![2]![0], end: indices![2]![1] }));
  const tokens = [...text.matchAll(LONE_TOKEN)]
    .filter(([, token = '']) => looksGenerated(token))
    .map((match) => ({ name: 'url-token', ...secretOf(match) }));
  return [...passwords, ...tokens];
}
