import { isLoopback } from '../../../protocol/loopback.ts';
import { headerOf, mapHeaders } from '../http1/raw-headers.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { RawHeaders } from './http-traffic.ts';

/** The names under which a listener is known, and what they are called upstream. */
export interface HostNames {
  upstream: Pick<Upstream, 'host' | 'origin'>;
  /** The port we listen on. */
  port: number;
  /** Host names, beside those of this machine's own loopback, that are ours too, on any port. */
  allowed: readonly string[];
}

/**
 * Why a request with these headers is refused: a web page in a browser may reach a loopback port under a name of its own
 * ("DNS rebinding"), so `Host` and `Origin` must name this machine. A page of another site that asks without `Origin`, for an
 * image or a script, is refused too (Fetch Metadata, `Sec-Fetch-Site`). Undefined: it is not refused.
 */
export function rebindingViolation(headers: RawHeaders, { allowed }: Pick<HostNames, 'allowed'>): string | undefined {
  const isKnown = (hostname: string | undefined) =>
    hostname !== undefined && (isLoopback(hostname) || allowed.includes(hostname));
  const host = headerOf(headers, 'host');
  if (host === undefined || !isKnown(authorityOf(host)?.hostname)) return `Host is "${host ?? ''}"`;
  const origin = headerOf(headers, 'origin');
  if (origin === undefined) {
    const isPart = isCrossSite(headers) && headerOf(headers, 'sec-fetch-mode') !== 'navigate';
    return isPart ? 'it comes from a page of another site' : undefined;
  }
  return URL.canParse(origin) && isKnown(new URL(origin).hostname) ? undefined : `Origin is "${origin}"`;
}

/** Whether a page of another site makes a browser send the request. */
export function isCrossSite(headers: RawHeaders): boolean {
  return headerOf(headers, 'sec-fetch-site') === 'cross-site';
}

/** Whether an authority (`127.0.0.1:8080`) is the address of the listener itself. */
export function isOurs(authority: string, { allowed, port }: HostNames): boolean {
  const parsed = authorityOf(authority);
  if (parsed === undefined) return false;
  return allowed.includes(parsed.hostname) || (isLoopback(parsed.hostname) && parsed.port === port);
}

/** The headers as the server shall see them: `Host` and `Origin` are its own where they were ours, and unchanged elsewhere. */
export function toUpstreamHeaders(headers: RawHeaders, names: HostNames): string[] {
  return mapHeaders(headers, (name, value) => serverName(name, value, names));
}

/** Rewrites one field, named in lower case, in the same way. */
export function serverName(name: string, value: string, names: HostNames): string {
  const { upstream } = names;
  if (name === 'host') return isOurs(value, names) ? upstream.host : value;
  if (name !== 'origin') return value;
  const ours = value.startsWith('http://') && isOurs(value.slice('http://'.length), names);
  return ours ? upstream.origin : value;
}

/** The origin that a server lets read its answer, as the page that asked is called: the server was told another name of it. */
export function allowedOrigin(value: string, request: RawHeaders, names: HostNames): string {
  const origin = headerOf(request, 'origin');
  if (origin === undefined || value !== names.upstream.origin) return value;
  return serverName('origin', origin, names) === value ? origin : value;
}

/** A URI of the server's as the client shall see it, who knows us as `host`. URIs of others stay as they are. */
export function towardsClient(uri: string, { origin }: Pick<Upstream, 'origin'>, host: string): string {
  const parsed = URL.canParse(uri) ? new URL(uri) : undefined;
  return parsed?.origin === origin ? `http://${host}${parsed.pathname}${parsed.search}${parsed.hash}` : uri;
}

function authorityOf(text: string): { hostname: string; port: number } | undefined {
  const own = OWN_AUTHORITY.exec(text);
  if (own !== null) return { hostname: own[1]!, port: Number(own[2] ?? 80) };
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i.test(text)) return undefined;
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  return url && { hostname: url.hostname, port: Number(url.port || 80) };
}

/** What most requests name, and needs no reading of a URL. */
const OWN_AUTHORITY = /^(localhost|127\.0\.0\.1)(?::([1-9]\d{0,3}|[1-5]\d{4}))?$/;
