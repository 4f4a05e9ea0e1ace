import { endToEnd, headerOf, withHeaders } from '../http1/raw-headers.ts';
import { nextHop } from '../upstream/next-hop.ts';
import { isCrossSite } from './dns-rebinding.ts';
import type { ExchangeOptions, ForwardContext } from './exchange-options.ts';
import { rewriteHeaderToUpstream } from './rewrite-host-and-origin.ts';

/**
 * Browser fields that must not reach the authorization server. The browser added them for this machine; cookies ignore
 * ports.
 */
export const BROWSER_ONLY: ReadonlySet<string> = new Set(['authorization', 'cookie', 'referer']);

/** Request to send to the server. */
export interface UpstreamRequest {
  method: string;
  /** Request line and fields, including the final empty line. */
  head: string;
  /** Whether the body is chunked. */
  isChunked: boolean;
}

/** What decides the upstream request of an exchange. */
export type RequestToForward = Pick<ExchangeOptions, 'common' | 'request' | 'asked' | 'way'>;

/** Returns the upstream request of an exchange, with the server's host names, framing and hop-by-hop fields. */
export function upstreamRequest({ common, request, asked, way }: RequestToForward): UpstreamRequest {
  const { upstream, path } = way;
  const { method, headers } = request;
  const hop = nextHop(upstream);
  const names = common.names && { upstream, port: common.names.port, allowed: common.names.allowed };
  const passed = endToEnd(headers, (name, value) => {
    // The parsed length: other programs may read `007` differently.
    if (name === 'content-length') return String(asked === undefined ? Number(value) : asked.length);
    if (way.page !== undefined && BROWSER_ONLY.has(name)) return undefined;
    if (way.isAside && name === 'cookie') return undefined;
    if (name === 'accept-encoding') return 'identity';
    return names === undefined ? value : rewriteHeaderToUpstream(name, value, names);
  });
  // A page of another site must not cause requests with the user's credentials, and no other path needs them.
  const isTrusted = isEndpoint(way, common) && !isCrossSite(headers);
  const own = { ...(isTrusted && common.headers), ...hop.headers };
  // Requests an uncompressed response, because the recorder cannot read a compressed one.
  if (own['accept-encoding'] !== undefined) own['accept-encoding'] = 'identity';
  const sent = withHeaders(passed, own);
  const isChunked = headerOf(headers, 'transfer-encoding') !== undefined;
  if (isChunked) sent.push('Transfer-Encoding', 'chunked');
  else if (headerOf(headers, 'content-length') === undefined && /^P(?:OST|UT|ATCH)$/.test(method))
    sent.push('Content-Length', '0');
  sent.push('Connection', 'keep-alive');
  let head = `${method} ${hop.target(path)} HTTP/1.1\r\n`;
  for (let n = 0; n < sent.length; n += 2) head += `${sent[n]}: ${sent[n + 1]}\r\n`;
  return { method, head: `${head}\r\n`, isChunked };
}

/** Reports whether a request goes to the MCP endpoint of the recorded server. Many servers redirect to it with a slash. */
function isEndpoint({ upstream, path, isAside }: ExchangeOptions['way'], { messagePaths }: ForwardContext): boolean {
  if (isAside) return false;
  const pathname = path.split('?', 1)[0]!;
  return withoutSlash(pathname) === withoutSlash(upstream.path) || messagePaths?.has(pathname) === true;
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
