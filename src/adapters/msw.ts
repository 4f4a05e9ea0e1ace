import { type Endpoint, type EndpointOptions, openEndpoint } from './endpoint.ts';

/** MSW's `http`, of 2.10 or later, as far as it is needed here. */
export interface MswHttp<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

/** A recorded server behind a handler of MSW. */
export interface MswEndpoint<Handler> extends Omit<Endpoint, 'serve'> {
  /** For `setupServer(handler)` or `server.use(handler)`. */
  handler: Handler;
}

/**
 * Answers an MCP endpoint from a cassette: `mswEndpoint(http, 'https://example.com/mcp', 'tapes/weather.yaml')`.
 * @throws McpRecordError those of `loadCassette`
 */
export function mswEndpoint<Handler>(
  http: MswHttp<Handler>,
  url: string,
  cassette: string,
  options?: EndpointOptions,
): MswEndpoint<Handler> {
  const endpoint = openEndpoint(cassette, options);
  return { ...endpoint, handler: http.all(url, ({ request }) => endpoint.fetch(request)) };
}
