import type { McpRecordError } from '../../../kernel/errors.ts';
import type { Rewriting } from '../authorization/authorization-proxy.ts';
import { headerOf } from '../http1/raw-headers.ts';
import type { RequestHead } from '../http1/request-head.ts';
import { refused } from '../proxy/error-response.ts';
import { authorityWithPort, type NamedHost, type NamedHosts, normalAuthority } from './named-hosts.ts';
import { notNamed } from './tunnel-errors.ts';

/** Rewriting for clients that use the servers' own addresses. */
export const NO_REWRITING: Rewriting = {
  location: (uri) => uri,
  challenge: (field) => field,
  back: () => undefined,
};

/** Server and path of a request, or the status and error of a rejected one. */
export type ProxyTarget = { host: NamedHost; path: string } | { refusal: number; error: McpRecordError };

/** What a request may name. */
export interface ProxyDoor {
  hosts: NamedHosts;
  /** Server that the tunnel leads to. Absent: the request came without a tunnel, for a complete URL. */
  tunnel: NamedHost | undefined;
}

/**
 * Returns the target of a request to a forward proxy (RFC 9112, 3.2). `Host` has to name the same server, because the
 * server decides by it.
 */
export function proxyTarget(request: RequestHead, { hosts, tunnel }: ProxyDoor): ProxyTarget {
  const { method, target } = request;
  const turnAway = (refusal: number, why: string, next: string) => ({
    refusal,
    error: refused(`${method} ${target}`, why, next),
  });
  const [, scheme, authority = '', rest = ''] = /^(https?):\/\/([^/?#]*)([^#]*)$/i.exec(target) ?? [];
  const isPath = target.startsWith('/') || (target === '*' && method === 'OPTIONS');
  if (scheme === undefined && !(isPath && tunnel))
    return turnAway(400, 'the target of the request is not a complete URL', KEEP_URL);
  const isSecure = tunnel?.upstream.isSecure ?? false;
  const portByDefault = isSecure ? 443 : 80;
  const wanted = scheme === undefined ? undefined : normalAuthority(authority, portByDefault);
  if (wanted === undefined && scheme !== undefined) return turnAway(400, 'the URL has no valid host', KEEP_URL);
  const host = tunnel ?? hosts.get(wanted!);
  const isOtherScheme = scheme !== undefined && (scheme.toLowerCase() === 'https') !== isSecure;
  if (host === undefined || (!tunnel && host.upstream.isSecure)) return notNamedHost(request, wanted!, hosts);
  const own = authorityWithPort(host.upstream);
  if (isOtherScheme || (wanted !== undefined && wanted !== own))
    return turnAway(421, `this tunnel leads to ${own}`, KEEP_URL);
  const said = headerOf(request.headers, 'host') ?? '';
  if (normalAuthority(said, portByDefault) !== own)
    return turnAway(421, `Host is "${said}", and the request is for ${own}`, KEEP_URL);
  if (scheme === undefined) return { host, path: target };
  return { host, path: rest.startsWith('/') ? rest : `/${rest}` };
}

function notNamedHost({ method, target }: RequestHead, wanted: string, hosts: NamedHosts): ProxyTarget {
  return { refusal: 403, error: notNamed(`${method} ${target}`, `http://${wanted}`, [...hosts.values()]) };
}

const KEEP_URL = 'Give the client the printed address as its proxy, and the URL of the server as it is.';
