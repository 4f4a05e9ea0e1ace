import type { Cassette } from '../../cassette/cassette.ts';
import { parseCassette } from '../../cassette/read/load-cassette.ts';
import type { Clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { packageVersion } from '../../kernel/package-info.ts';
import { errorOf, isObject, isRequest, isResponse, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { FIRST_MODERN, NEWEST_LEGACY } from '../../protocol/revisions.ts';
import type { LiveServer } from './live-server-types.ts';
import { runRecordedClient, type ServerRun } from './run-recorded-client.ts';

type Members = Record<string, unknown>;

/** A live server's description and lists. */
export interface ServerLists {
  serverInfo: Members;
  instructions: unknown;
  capabilities: Members;
  tools: Members[];
  prompts: Members[];
  resources: Members[];
  resourceTemplates: Members[];
}

/** List, by its method. */
const LISTS = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
} as const;

export interface ServerListsOptions {
  /** Connects to the server. Called a second time if the server has no revision with a handshake. */
  connect(): Promise<LiveServer>;
  clock: Clock;
}

/**
 * Requests all lists of a live server, page by page. An unsupported list is empty.
 * @throws McpRecordError SERVER_NOT_LISTED if it does not answer the handshake or a list, and those of
 * `runRecordedClient`
 */
export async function serverLists({ connect, clock }: ServerListsOptions): Promise<ServerLists> {
  const legacy = await runRecordedClient({ cassette: legacyClient(), server: await connect(), clock });
  if (resultsOf(legacy, 'initialize').length > 0) return listsOf(legacy, 'initialize');
  const modern = await runRecordedClient({ cassette: modernClient(), server: await connect(), clock });
  return listsOf(modern, 'server/discover');
}

function listsOf(run: ServerRun, first: string): ServerLists {
  const [said] = resultsOf(run, first);
  const [unanswered] = run.unanswered;
  if (said === undefined || unanswered) throw notListed(run, first);
  const items = (method: keyof typeof LISTS): Members[] =>
    resultsOf(run, method).flatMap((page) => {
      const list = page[LISTS[method]];
      return Array.isArray(list) ? list.filter(isObject) : [];
    });
  const serverInfo = said.serverInfo ?? metaOf(said)[META.serverInfo];
  return {
    serverInfo: isObject(serverInfo) ? serverInfo : {},
    instructions: said.instructions,
    capabilities: isObject(said.capabilities) ? said.capabilities : {},
    tools: items('tools/list'),
    prompts: items('prompts/list'),
    resources: items('resources/list'),
    resourceTemplates: items('resources/templates/list'),
  };
}

function resultsOf({ exchanges }: ServerRun, method: string): Members[] {
  return exchanges.flatMap(({ request, live: { value } }) => {
    const isAnswer = isRequest(request.message) && request.message.method === method && isResponse(value);
    return isAnswer && errorOf(value) === undefined ? [resultOf(value)] : [];
  });
}

function notListed(run: ServerRun, first: string): McpRecordError {
  const answer = run.exchanges.find(({ request }) => isRequest(request.message) && request.message.method === first);
  const error = answer && isResponse(answer.live.value) ? errorOf(answer.live.value) : undefined;
  const refused = error && `it answers ${first} with error ${String(error.code)}: ${String(error.message)}`;
  return new McpRecordError({
    code: 'SERVER_NOT_LISTED',
    what: 'Cannot list what the server offers',
    why: refused ?? run.stopped ?? (run.died ? 'it ended before it had answered' : 'it has not answered in time'),
    next: 'Start the server by itself to see what is wrong, or record a session with it: mcp-record record.',
  });
}

/** Capabilities that servers may require before they list certain tools. Their requests are answered with an error. */
const CAPABILITIES: Members = {
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

/** A client that makes the handshake, and asks for every list. */
function legacyClient(): Cassette {
  const clientInfo = { name: 'mcp-record', version: packageVersion() };
  const params = { protocolVersion: NEWEST_LEGACY, capabilities: CAPABILITIES, clientInfo };
  return client([
    { client: { id: 0, method: 'initialize', params } },
    { server: { id: 0, result: { protocolVersion: NEWEST_LEGACY, capabilities: {}, serverInfo: clientInfo } } },
    { client: { method: 'notifications/initialized' } },
    ...listCalls({}),
  ]);
}

/** Returns a client of 2026-07-28 that sends `server/discover` and requests every list. */
function modernClient(): Cassette {
  const clientInfo = { name: 'mcp-record', version: packageVersion() };
  const _meta = {
    [META.protocolVersion]: FIRST_MODERN,
    [META.clientInfo]: clientInfo,
    [META.clientCapabilities]: CAPABILITIES,
  };
  return client([
    { client: { id: 0, method: 'server/discover', params: { _meta } } },
    { server: { id: 0, result: { resultType: 'complete', supportedVersions: [FIRST_MODERN], capabilities: {} } } },
    ...listCalls({ params: { _meta } }),
  ]);
}

function listCalls(members: Members): Members[] {
  return Object.entries(LISTS).flatMap(([method, list], index) => [
    { client: { id: index + 1, method, ...members } },
    { server: { id: index + 1, result: { [list]: [] } } },
  ]);
}

function client(events: readonly Members[]): Cassette {
  return parseCassette(JSON.stringify({ format: 'mcp-record/1', events }), 'the lists of a server');
}
