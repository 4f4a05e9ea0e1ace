import { endToEnd, headerOf, withHeaders } from '../http1/raw-headers.ts';
import { nextHop } from '../upstream/next-hop.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { isCrossSite, serverName } from './host-names.ts';

/** What a browser knows of this machine, and not of the authorization server: cookies know no port. */
const BROWSER_ONLY: ReadonlySet<string> = new Set(['authorization', 'cookie', 'referer']);

/** A request as the server shall have it. */
export interface UpstreamRequest {
  method: string;
  /** Through the empty line after its fields. */
  head: string;
  /** Whether its body is in chunks. */
  isChunked: boolean;
}

/** Returns the upstream request of an exchange, with the server's host names, framing and hop-by-hop fields. */
export function upstreamRequest({ common, request, asked, way }: ExchangeOptions): UpstreamRequest {
  const { upstream, path } = way;
  const { method, headers } = request;
  const hop = nextHop(upstream);
  const { port, allowed } = common.names;
  const names = { upstream, port, allowed };
  const passed = endToEnd(headers, (name, value) => {
    // The length as it was read: `007` is read otherwise by others.
    if (name === 'content-length') return String(asked === undefined ? Number(value) : asked.length);
    if (way.page !== undefined && BROWSER_ONLY.has(name)) return undefined;
    return name === 'accept-encoding' ? 'identity' : serverName(name, value, names);
  });
  // The user's credentials are not for a link on a page of another site.
  const isForeign = way.isAside || isCrossSite(headers);
  const own = { ...(isForeign ? {} : common.headers), ...hop.headers };
  // Asks for an uncompressed response: a compressed one could not be read.
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
