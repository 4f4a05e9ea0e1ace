import type { IncomingMessage, ServerResponse } from 'node:http';

/** Methods of Streamable HTTP and of HTTP with SSE. */
const METHODS = 'GET, POST, DELETE';

/**
 * Response headers that a page may read in addition to the safelisted ones (Fetch, "CORS-safelisted response-header
 * name").
 */
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, Allow';

/** Lifetime of a preflight result, in seconds. */
const MAX_AGE = '600';

/**
 * Allows a web page to read the response, and answers its preflight request (Fetch, "CORS protocol"). The caller must
 * have checked `Host` and `Origin`. True: the response is complete.
 */
export function allowOrigin(request: IncomingMessage, response: ServerResponse): boolean {
  const { method, headers } = request;
  const { origin } = headers;
  if (origin === undefined) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Vary', 'Origin');
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    return false;
  }
  request.resume();
  const asked = headers['access-control-request-headers'];
  response.writeHead(204, {
    'Access-Control-Allow-Methods': METHODS,
    ...(asked !== undefined && { 'Access-Control-Allow-Headers': asked }),
    ...(headers['access-control-request-private-network'] === 'true' && {
      'Access-Control-Allow-Private-Network': 'true',
    }),
    'Access-Control-Max-Age': MAX_AGE,
  });
  response.end();
  return true;
}
