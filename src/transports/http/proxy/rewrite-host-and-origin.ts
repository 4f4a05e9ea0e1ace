import { isLoopback } from '../../../protocol/loopback.ts';
import { headerOf, mapHeaders } from '../http1/raw-headers.ts';
import type { Upstream } from '../upstream/parse-upstream.ts';
import type { RawHeaders } from './http-traffic.ts';

/** Accepted host names of a listener, and the upstream names that they stand for. */
export interface HostNames {
  upstream: Pick<Upstream, 'host' | 'origin'>;
  /** Port of the listener. */
  port: number;
  /** Accepted host names besides the loopback names, on any port. */
  allowed: readonly string[];
}

/** Reports whether an authority (`127.0.0.1:8080`) is the address of this listener. */
export function isOurs(authority: string, { allowed, port }: HostNames): boolean {
  const parsed = authorityOf(authority);
  if (parsed === undefined) return false;
  return allowed.includes(parsed.hostname) || (isLoopback(parsed.hostname) && parsed.port === port);
}

/** Replaces the listener's name in `Host` and `Origin` by the server's. Other names stay unchanged. */
export function toUpstreamHeaders(headers: RawHeaders, names: HostNames): string[] {
  return mapHeaders(headers, (name, value) => rewriteHeaderToUpstream(name, value, names));
}

/** Rewrites one field, named in lower case, as {@link toUpstreamHeaders}. */
export function rewriteHeaderToUpstream(name: string, value: string, names: HostNames): string {
  const { upstream } = names;
  if (name === 'host') return isOurs(value, names) ? upstream.host : value;
  if (name !== 'origin') return value;
  const ours = value.startsWith('http://') && isOurs(value.slice('http://'.length), names);
  return ours ? upstream.origin : value;
}

/**
 * Returns the allowed origin for the client's page. The server allows its own origin, which replaced the page's origin
 * in the request.
 */
export function allowedOrigin(value: string, request: RawHeaders, names: HostNames): string {
  const origin = headerOf(request, 'origin');
  if (origin === undefined || value !== names.upstream.origin) return value;
  return rewriteHeaderToUpstream('origin', origin, names) === value ? origin : value;
}

/** Maps a URI of the server to the proxy, for a client that uses `host`. Other URIs stay unchanged. */
export function towardsClient(uri: string, { origin }: Pick<Upstream, 'origin'>, host: string): string {
  const parsed = URL.canParse(uri) ? new URL(uri) : undefined;
  return parsed?.origin === origin ? `http://${host}${parsed.pathname}${parsed.search}${parsed.hash}` : uri;
}

/** Parses the host name and the port of an authority. Undefined: it is none. */
export function authorityOf(text: string): { hostname: string; port: number } | undefined {
  const own = OWN_AUTHORITY.exec(text);
  if (own !== null) return { hostname: own[1]!, port: Number(own[2] ?? 80) };
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i.test(text)) return undefined;
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  return url && { hostname: url.hostname, port: Number(url.port || 80) };
}

/** The usual authorities, matched without parsing a URL. */
const OWN_AUTHORITY = /^(localhost|127\.0\.0\.1)(?::([1-9]\d{0,3}|[1-5]\d{4}))?$/;
