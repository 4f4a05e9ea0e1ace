import { McpRecordError } from '../../../kernel/errors.ts';
import { type WebProxy, webProxyFor } from './web-proxy.ts';

/** Server that a proxy forwards to. */
export interface Upstream {
  /** `https://example.com`, without a default port. */
  origin: string;
  isSecure: boolean;
  hostname: string;
  port: number;
  /** Value of `Host`. */
  host: string;
  /** Path of the server's MCP endpoint. */
  path: string;
  /** Query of the endpoint with its question mark; may be empty. */
  search: string;
  /** Web proxy in front of the server, if any. */
  proxy?: WebProxy;
  /** Whether a test names the server, in `{ url, headers }`. Errors then name these in place of `--http` and `--header`. */
  isOfTest?: boolean;
}

/**
 * Parses the URL of a server. `env` may name a web proxy for it.
 * @throws McpRecordError USAGE_BAD_URL, USAGE_BAD_PROXY
 */
export function parseUpstream(
  text: string,
  env: Readonly<Record<string, string | undefined>> = {},
  { isOfTest = false }: Pick<Upstream, 'isOfTest'> = {},
): Upstream {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw badUrl(text, 'it is no URL', isOfTest);
  const isSecure = url.protocol === 'https:';
  if (!isSecure && url.protocol !== 'http:') throw badUrl(text, `"${url.protocol}" is not HTTP`, isOfTest);
  if (url.username !== '' || url.password !== '')
    throw badUrl(withoutSecrets(url), isOfTest ? IN_MESSAGES : IN_PROCESS_LIST, isOfTest);
  const proxy = webProxyFor(url, env);
  return {
    origin: url.origin,
    isSecure,
    // Sockets take an IPv6 address without brackets.
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 443 : 80),
    host: url.host,
    path: url.pathname,
    search: url.search,
    ...(proxy && { proxy }),
    ...(isOfTest && { isOfTest }),
  };
}

const IN_PROCESS_LIST = 'a password in a URL is seen by everyone who lists processes';
const IN_MESSAGES = 'a password in a URL is seen by everyone who reads messages and cassettes';

/** Where a test gives the credentials for a server. */
export const HEADERS_OF_TEST = "headers: { authorization: 'Bearer …' } beside the url";

function withoutSecrets(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function badUrl(text: string, why: string, isOfTest: boolean): McpRecordError {
  const how = isOfTest ? `credentials stand in ${HEADERS_OF_TEST}.` : 'let the client send what authorizes it.';
  return new McpRecordError({
    code: 'USAGE_BAD_URL',
    what: `Cannot ${isOfTest ? 'connect to' : 'record'} the server at ${text}`,
    why,
    next: `Give the URL of its MCP endpoint, such as https://example.com/mcp; ${how}`,
  });
}

/** Path for the upstream server, or the HTTP status and reason of a rejected request. */
export type Target = { path: string } | { refusal: number; why: string };

/**
 * Maps a request's target to the upstream server. Paths stay unchanged. `*` is about the server itself
 * (`OPTIONS`, RFC 9112, 3.2.4). A complete URL is accepted only if it names this proxy (RFC 9112, 3.2.2), because this
 * is no open proxy. `isRootEndpoint`: whether `/` alone is the endpoint. It is not for a mock server, which
 * gives a client with a wrong path the 404 of a real one. Default: true.
 */
export function targetOf(
  { method, target }: { method: string; target: string },
  upstream: Upstream,
  isOurs: (authority: string) => boolean,
  { isRootEndpoint = true }: { isRootEndpoint?: boolean } = {},
): Target {
  const endpointOr = (path: string) =>
    path === upstream.path || (isRootEndpoint && path === '/') ? upstream.path + upstream.search : path;
  if (target === '*' && method === 'OPTIONS') return { path: target };
  if (target.startsWith('/')) return { path: endpointOr(target) };
  const absolute = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(target);
  if (absolute === null) return { refusal: 400, why: 'the target of the request is not a path' };
  const [, authority = '', rest = ''] = absolute;
  if (!isOurs(authority)) return { refusal: 421, why: `this proxy does not serve ${authority}` };
  return { path: endpointOr(rest.startsWith('/') ? rest : `/${rest}`) };
}
