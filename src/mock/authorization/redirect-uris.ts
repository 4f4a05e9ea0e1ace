import { isLoopback } from '../../protocol/loopback.ts';

/** Schemes that a browser runs, or reads files by, instead of going somewhere. */
const DANGEROUS: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/** Whether a client may register a redirect URI: HTTPS, this machine, or the scheme of a program (RFC 8252, 7). */
export function isRegistrable(uri: unknown): uri is string {
  return isRedirectUri(uri) && (new URL(uri).protocol !== 'http:' || isOnLoopback(uri));
}

/** Whether a browser may be sent to a URI at all (RFC 6749, 3.1.2). */
export function isRedirectUri(uri: unknown): uri is string {
  if (typeof uri !== 'string' || !URL.canParse(uri) || uri.includes('#')) return false;
  return !DANGEROUS.has(new URL(uri).protocol);
}

/**
 * Whether a client may be redirected to a URI: to one that it registered, on this machine also at another port (RFC 8252, 7.3).
 * A client that has registered none may be redirected to this machine alone.
 */
export function isRedirectAllowed(uri: string, registered: readonly string[] | undefined): boolean {
  if (!isRedirectUri(uri)) return false;
  if (registered === undefined) return isOnLoopback(uri);
  return registered.some(
    (one) => one === uri || (isOnLoopback(one) && isOnLoopback(uri) && portless(one) === portless(uri)),
  );
}

function isOnLoopback(uri: string): boolean {
  const { protocol, hostname, username } = new URL(uri);
  return protocol === 'http:' && isLoopback(hostname) && username === '';
}

function portless(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}
