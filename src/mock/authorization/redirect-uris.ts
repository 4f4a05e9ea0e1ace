import { isLoopback } from '../../protocol/loopback.ts';

/** Schemes that make a browser run code or read local files. */
const DANGEROUS: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/**
 * Reports whether a client may register a redirect URI: HTTPS, a loopback address, or a private-use scheme (RFC 8252,
 * 7).
 */
export function isRegistrable(uri: unknown): uri is string {
  return isRedirectUri(uri) && (new URL(uri).protocol !== 'http:' || isOnLoopback(uri));
}

/** Reports whether a browser may be redirected to a URI (RFC 6749, 3.1.2). */
export function isRedirectUri(uri: unknown): uri is string {
  if (typeof uri !== 'string' || !URL.canParse(uri) || uri.includes('#')) return false;
  return !DANGEROUS.has(new URL(uri).protocol);
}

/**
 * Reports whether a client may be redirected to a URI. The URI has to be registered; for loopback addresses the port is
 * ignored (RFC 8252, 7.3). A client without registered URIs may be redirected to loopback addresses only.
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
