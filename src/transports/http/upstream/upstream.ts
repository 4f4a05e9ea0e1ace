import { McpRecordError } from '../../../kernel/errors.ts';
import { type WebProxy, webProxyFor } from './web-proxy.ts';

/** The one server that a proxy forwards to. */
export interface Upstream {
  /** `https://example.com`, without a default port. */
  origin: string;
  isSecure: boolean;
  hostname: string;
  port: number;
  /** What stands in `Host`. */
  host: string;
  /** The path of the server's MCP endpoint. */
  path: string;
  /** The query of the endpoint, with its question mark; empty where there is none. */
  search: string;
  /** By which it is reached, if not straight. */
  proxy?: WebProxy;
}

/**
 * Reads the URL of a server. `env` may name a proxy by which it is reached.
 * @throws McpRecordError USAGE_BAD_URL, USAGE_BAD_PROXY
 */
export function parseUpstream(text: string, env: NodeJS.ProcessEnv = {}): Upstream {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw badUrl(text, 'it is no URL');
  const isSecure = url.protocol === 'https:';
  if (!isSecure && url.protocol !== 'http:') throw badUrl(text, `"${url.protocol}" is not HTTP`);
  if (url.username !== '' || url.password !== '')
    throw badUrl(withoutSecrets(url), 'a password in a URL is seen by everyone who lists processes');
  const proxy = webProxyFor(url, env);
  return {
    origin: url.origin,
    isSecure,
    // Sockets want an IPv6 address without its brackets.
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 443 : 80),
    host: url.host,
    path: url.pathname,
    search: url.search,
    ...(proxy && { proxy }),
  };
}

function withoutSecrets(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function badUrl(text: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_URL',
    what: `Cannot record the server at ${text}`,
    why,
    next: 'Give the URL of its MCP endpoint, such as https://example.com/mcp; let the client send what authorizes it.',
  });
}

/** Where a request goes, or why it goes nowhere. */
export type Target = { path: string } | { refusal: number; why: string };

/**
 * Maps a request's target to the upstream server: paths stay as they are, and `/` alone is the endpoint. `*` asks about
 * the server itself (`OPTIONS`, RFC 9112, 3.2.4). A target that is a whole URL is taken only if it names us (RFC 9112, 3.2.2): a proxy for one server is no proxy for all.
 */
export function targetOf(
  { method, target }: { method: string; target: string },
  upstream: Upstream,
  isOurs: (authority: string) => boolean,
): Target {
  if (target === '*' && method === 'OPTIONS') return { path: target };
  if (target.startsWith('/')) return { path: endpointOr(target, upstream) };
  const absolute = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(target);
  if (absolute === null) return { refusal: 400, why: 'the target of the request is no path' };
  const [, authority = '', rest = ''] = absolute;
  if (!isOurs(authority)) return { refusal: 421, why: `this is no proxy for ${authority}` };
  return { path: endpointOr(rest.startsWith('/') ? rest : `/${rest}`, upstream) };
}

function endpointOr(path: string, { path: endpoint, search }: Upstream): string {
  return path === '/' || path === endpoint ? endpoint + search : path;
}
