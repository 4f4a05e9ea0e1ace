import type { CassetteSource } from '../cassette/cassette.ts';
import type { EndpointOptions, FetchEndpoint } from '../mock/endpoint/fetch-endpoint.ts';
import type { Send } from './endpoint/fetch-with-tap.ts';
import { type HandlerEndpointOptions, isCassette, openHandlerEndpoint } from './endpoint/handler-endpoint.ts';
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
 * Options alone are those of a server without a cassette, whose handlers answer.
 * @throws McpRecordError HANDLER_INVALID, USAGE_UNKNOWN_MODE, MODE_NOT_HERE, MODE_NEEDS_SERVER, CASSETTE_MISSING, USAGE_BAD_URL, and those
 *   of `loadCassette`
 */
export function mswEndpoint<Handler>(
  http: MswHttp<Handler>,
  url: string,
  cassette: CassetteSource | HandlerEndpointOptions,
  options: MswOptions = {},
): MswEndpoint<Handler> {
  const { bypass } = options;
  const send: Send | undefined = bypass && ((request) => fetch(bypass(request)));
  const endpoint = isCassette(cassette)
    ? openEndpointInMode({ url, cassette, send }, options)
    : openHandlerEndpoint(cassette);
  const handler = http.all(url, ({ request }) => endpoint.fetch(request).catch(() => Response.error()));
  return Object.assign(endpoint, { handler });
}
