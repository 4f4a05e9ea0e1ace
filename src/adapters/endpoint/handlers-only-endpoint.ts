import type { CassetteSource } from '../../cassette/cassette.ts';
import { type Endpoint, type EndpointOptions, openEndpoint } from '../../mock/endpoint/fetch-endpoint.ts';
import { emptyCassette, emptyModernCassette, NO_CASSETTE } from '../../mock/server/empty-cassettes.ts';
import type { ServerDescription } from '../../mock/server/server-fallback-answers.ts';
import { checkOptions, validateApiOptions } from '../../modes/validate-api-options.ts';

/** Options of an endpoint without a cassette. */
export interface HandlerEndpointOptions extends EndpointOptions, ServerDescription {}

/**
 * Reports whether the argument is a cassette value or a cassette path, as opposed to options.
 * @throws McpRecordError OPTION_BAD_VALUE
 */
export function isCassette<Options extends object>(given: CassetteSource | Options): given is CassetteSource {
  return typeof given === 'string' || 'events' in checkOptions(given);
}

/**
 * Opens an endpoint without a cassette. Handlers answer requests; requests without a handler get default answers.
 * @throws McpRecordError HANDLER_INVALID, OPTION_UNKNOWN, OPTION_BAD_VALUE
 */
export function openHandlerEndpoint(options: HandlerEndpointOptions): Endpoint {
  validateApiOptions(options, 'endpoint', { areAll: true });
  const { serverInfo, capabilities, instructions, ...rest } = options;
  const known = Object.entries({ serverInfo, capabilities, instructions }).filter(([, value]) => value !== undefined);
  const description: ServerDescription = Object.fromEntries(known);
  return openEndpoint(NO_CASSETTE, rest, { files: [emptyCassette(), emptyModernCassette()], description });
}
