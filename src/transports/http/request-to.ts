import type { ExchangeOptions } from './exchange.ts';
import { endToEnd, headerOf, mapHeaders, withHeaders } from './headers.ts';
import { hopTo } from './hop.ts';
import { towardsServer } from './names.ts';

/** A request as the server shall have it. */
export interface ServerRequest {
  method: string;
  /** Through the empty line after its fields. */
  head: string;
  /** Whether its body is in chunks. */
  isChunked: boolean;
}

/** The request of an exchange as it goes on: with the names, the framing and the fields of this connection. */
export function requestTo({ common, request, asked, way }: ExchangeOptions): ServerRequest {
  const { upstream, path } = way;
  const { method = '', rawHeaders } = request;
  const hop = hopTo(upstream);
  const passed = towardsServer(endToEnd(rawHeaders), { ...common.names, upstream });
  const own = withHeaders(passed, { ...(way.isAside ? {} : common.headers), ...hop.headers });
  const sent = mapHeaders(own, (name, value) => {
    if (name === 'content-length' && asked !== undefined) return String(asked.length);
    return name === 'accept-encoding' ? 'identity' : value;
  });
  const isChunked = headerOf(rawHeaders, 'transfer-encoding') !== undefined;
  if (isChunked) sent.push('Transfer-Encoding', 'chunked');
  else if (headerOf(rawHeaders, 'content-length') === undefined && /^P(?:OST|UT|ATCH)$/.test(method))
    sent.push('Content-Length', '0');
  sent.push('Connection', 'keep-alive');
  let head = `${method} ${hop.target(path)} HTTP/1.1\r\n`;
  for (let n = 0; n < sent.length; n += 2) head += `${sent[n]}: ${sent[n + 1]}\r\n`;
  return { method, head: `${head}\r\n`, isChunked };
}
