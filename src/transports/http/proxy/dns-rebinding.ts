import { isLoopback } from '../../../protocol/loopback.ts';
import { headerOf } from '../http1/raw-headers.ts';
import type { RawHeaders } from './http-traffic.ts';
import { authorityOf, type HostNames } from './rewrite-host-and-origin.ts';

/**
 * Returns why a request with these headers is refused. Undefined: it is accepted. A web page can reach a loopback port
 * under its own host name ("DNS rebinding"), so `Host` and `Origin` must name this machine. A cross-site request
 * without `Origin`, e.g. for an image or script, is refused, too (Fetch Metadata, `Sec-Fetch-Site`).
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

/** Reports whether a page of another site caused the request. */
export function isCrossSite(headers: RawHeaders): boolean {
  return headerOf(headers, 'sec-fetch-site') === 'cross-site';
}
