import type { CassetteSource } from '../cassette/cassette.ts';
import type { EndpointOptions, FetchEndpoint } from '../mock/endpoint/fetch-endpoint.ts';
import type { Send } from './endpoint/fetch-with-tap.ts';
import { type HandlerEndpointOptions, isCassette, openHandlerEndpoint } from './endpoint/handlers-only-endpoint.ts';
import { openEndpointInMode, type RecordingOptions } from './endpoint/open-endpoint-in-mode.ts';

export type { EndpointOutcome } from '../mock/endpoint/fetch-endpoint.ts';
export type { HandlerEndpointOptions } from './endpoint/handlers-only-endpoint.ts';
export type { EndpointMode } from './endpoint/open-endpoint-in-mode.ts';

/** The used part of MSW's `http`, from 2.10 on. */
export interface MswHttp<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

export interface MswOptions extends EndpointOptions, RecordingOptions {
  /** MSW's `bypass`. With it, the endpoint can reach the real server and record it, depending on the mode. */
  bypass?: (request: Request) => Request;
}

/** A recorded or recording endpoint behind an MSW handler. */
export interface MswEndpoint<Handler> extends FetchEndpoint {
  /** Handler for `setupServer(handler)` or `server.use(handler)`. */
  handler: Handler;
}

/**
 * Answers an MCP endpoint from a cassette: `mswEndpoint(http, 'https://example.com/mcp', 'cassettes/weather.yaml')`.
 * With `{ bypass }` the first run records it. Options in place of the cassette describe a server without one, whose
 * handlers answer.
 * @throws McpRecordError HANDLER_INVALID, USAGE_UNKNOWN_MODE, MODE_NOT_HERE, MODE_NEEDS_SERVER, CASSETTE_MISSING,
 * USAGE_BAD_URL, and those of `loadCassette`
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
