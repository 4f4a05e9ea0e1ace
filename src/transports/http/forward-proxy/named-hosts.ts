import { McpRecordError } from '../../../kernel/errors.ts';
import { parseUpstream, type Upstream } from '../upstream/parse-upstream.ts';

/** A server that clients reach through a forward proxy. */
export interface NamedHost {
  upstream: Upstream;
  /** Path of its MCP endpoint. Absent: unknown. */
  endpoint?: string;
}

/** Servers of a forward proxy, by authority with port: `mcp.example.com:443`. */
export type NamedHosts = ReadonlyMap<string, NamedHost>;

/**
 * Parses the servers of a forward proxy: host names, with or without a port, or URLs of MCP endpoints. A host without a
 * scheme uses TLS. `env` may name web proxies for them.
 * @throws McpRecordError USAGE_BAD_PROXY_HOST, USAGE_BAD_PROXY
 */
export function parseNamedHosts(
  texts: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): NamedHosts {
  const hosts = new Map<string, NamedHost>();
  for (const text of texts.flatMap((list) => list.split(',')).map((item) => item.trim())) {
    const url = urlOf(text);
    const upstream = parseUpstream(url.origin, env);
    const key = authorityWithPort(upstream);
    const earlier = hosts.get(key);
    if (earlier !== undefined && earlier.upstream.isSecure !== upstream.isSecure)
      throw badHost(text, 'the same port is named with http and with https');
    const endpoint = url.pathname === '/' ? earlier?.endpoint : url.pathname;
    if (earlier?.endpoint !== undefined && endpoint !== earlier.endpoint)
      throw badHost(text, 'another endpoint of the same server is named');
    hosts.set(key, { upstream, ...(endpoint !== undefined && { endpoint }) });
  }
  return hosts;
}

/** Returns the authority of a server with its port, in the form that `CONNECT` uses: `mcp.example.com:443`. */
export function authorityWithPort({ hostname, port }: Pick<Upstream, 'hostname' | 'port'>): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

/**
 * Returns an authority of a request (`MCP.Example.com`) in the form of {@link authorityWithPort}. Undefined: it is none.
 */
export function normalAuthority(text: string, portByDefault?: number): string | undefined {
  const [, host = '', port = String(portByDefault ?? '')] = AUTHORITY.exec(text) ?? [];
  if (host === '' || port === '' || Number(port) > PORT_MAX || !URL.canParse(`https://${host}`)) return undefined;
  return `${new URL(`https://${host}`).hostname}:${Number(port)}`;
}

const PORT_MAX = 65_535;
const AUTHORITY = /^([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i;

function urlOf(text: string): URL {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (text === '' || url === undefined) throw badHost(text, 'it is neither a host name nor a URL');
  if (!/^https?:$/.test(url.protocol)) throw badHost(text, `"${url.protocol}" is not HTTP`);
  if (url.username !== '' || url.password !== '')
    throw badHost(url.host, 'a password in a URL is seen by everyone who lists processes');
  if (url.hostname.includes('*')) throw badHost(text, 'hosts are named one by one, without *');
  if (url.search !== '' || url.hash !== '') throw badHost(text, 'it has a query or a fragment');
  return url;
}

function badHost(text: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_PROXY_HOST',
    what: `Cannot name "${text}" with --proxy`,
    why,
    next: 'Give host names, or the URL of the MCP endpoint: --proxy mcp.example.com,auth.example.com',
  });
}
