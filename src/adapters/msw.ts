import type { EndpointOptions, FetchEndpoint } from './endpoint/fetch-endpoint.ts';
import type { Send } from './endpoint/forward-fetch.ts';
import { openEndpointInMode, type RecordingOptions } from './endpoint/open-endpoint-in-mode.ts';

/** MSW's `http`, of 2.10 or later, as far as it is needed here. */
export interface MswHttp<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

export interface MswOptions extends EndpointOptions, RecordingOptions {
  /** MSW's `bypass`: with it the real server is recorded where there is no cassette, and as the mode says. */
  bypass?: (request: Request) => Request;
}

/** A recorded server, or one that is being recorded, behind a handler of MSW. */
export interface MswEndpoint<Handler> extends FetchEndpoint {
  /** For `setupServer(handler)` or `server.use(handler)`. */
  handler: Handler;
}

/**
 * Answers an MCP endpoint from a cassette: `mswEndpoint(http, 'https://example.com/mcp', 'cassettes/weather.yaml')`. With
 * `{ bypass }` the first run records it.
 * @throws McpRecordError USAGE_UNKNOWN_MODE, MODE_NOT_HERE, MODE_NEEDS_SERVER, CASSETTE_MISSING, USAGE_BAD_URL, and those
 *   of `loadCassette`
 */
export function mswEndpoint<Handler>(
  http: MswHttp<Handler>,
  url: string,
  cassette: string,
  options: MswOptions = {},
): MswEndpoint<Handler> {
  const { bypass } = options;
  const send: Send | undefined = bypass && ((request) => fetch(bypass(request)));
  const endpoint = openEndpointInMode({ url, cassette, send }, options);
  const handler = http.all(url, ({ request }) => endpoint.fetch(request).catch(() => Response.error()));
  return Object.assign(endpoint, { handler });
}
