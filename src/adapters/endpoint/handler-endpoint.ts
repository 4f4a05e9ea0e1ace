import type { CassetteSource } from '../../cassette/cassette.ts';
import { type Endpoint, type EndpointOptions, openEndpoint } from '../../mock/endpoint/fetch-endpoint.ts';
import { emptyCassette, emptyModernCassette, NO_CASSETTE } from '../../mock/server/empty-cassettes.ts';
import type { ServerDescription } from '../../mock/server/server-defaults.ts';
import { checkOptions } from '../../modes/check-options.ts';

/** Options of an endpoint whose handlers answer everything. */
export interface HandlerEndpointOptions extends EndpointOptions, ServerDescription {}

/** Whether a cassette is given, as a value or by its path, and no options. */
export function isCassette<Options extends object>(given: CassetteSource | Options): given is CassetteSource {
  return typeof given === 'string' || 'events' in given;
}

/**
 * An endpoint without a cassette: handlers answer, and where there is none, what every server answers.
 * @throws McpRecordError HANDLER_INVALID, OPTION_UNKNOWN, OPTION_BAD_VALUE
 */
export function openHandlerEndpoint(options: HandlerEndpointOptions): Endpoint {
  checkOptions(options, { areAll: true });
  const { serverInfo, capabilities, instructions, ...rest } = options;
  const known = Object.entries({ serverInfo, capabilities, instructions }).filter(([, value]) => value !== undefined);
  const description: ServerDescription = Object.fromEntries(known);
  return openEndpoint(NO_CASSETTE, rest, { files: [emptyCassette(), emptyModernCassette()], description });
}
