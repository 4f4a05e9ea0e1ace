import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { errorOf, isObject, isRequest, isResponse, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { listingClientCassette, type Opening, type ToolCall } from './listing-client-cassette.ts';
import type { LiveServer } from './live-server-types.ts';
import { runRecordedClient, type ServerRun } from './run-recorded-client.ts';

type Members = Record<string, unknown>;

/** A live server's description and lists. */
export interface ServerLists {
  opening: Opening;
  serverInfo: Members;
  instructions: unknown;
  capabilities: Members;
  tools: Members[];
  prompts: Members[];
  resources: Members[];
  resourceTemplates: Members[];
  /** Methods of lists that the server answered with a result. */
  answered: string[];
  /** Failures of calls, in order: results with `isError`, and errors. */
  failedCalls: FailedCall[];
}

/** A call that the server has answered with a failure. */
export interface FailedCall {
  tool: string;
  /** `isError`, or `error` with its code. */
  kind: string;
  text: string;
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
export async function requestServerLists({ connect, clock }: ServerListsOptions): Promise<ServerLists> {
  const methods = Object.keys(LISTS);
  const legacy = await runListingClient({ opening: 'initialize', methods, server: await connect(), clock });
  if (resultsOf(legacy, 'initialize').length > 0) return listsOf(legacy, 'initialize');
  return requestLists({ opening: 'server/discover', methods, server: await connect(), clock });
}

export interface RequestListsOptions {
  opening: Opening;
  /** Methods of the lists. */
  methods: readonly string[];
  /** Calls of tools, which are made one by one after the lists. */
  calls?: readonly ToolCall[];
  server: LiveServer;
  clock: Clock;
}

/** Maximum wait for the answer to a call: that of the official SDKs. */
const CALL_PATIENCE: Milliseconds = 60_000;

/**
 * Opens one session with a server, requests these lists, page by page, and makes calls. An unsupported list is empty.
 * @throws McpRecordError SERVER_CALL_UNANSWERED, and as `requestServerLists`
 */
export async function requestLists(options: RequestListsOptions): Promise<ServerLists> {
  return listsOf(await runListingClient(options), options.opening);
}

function runListingClient({ opening, methods, calls = [], server, clock }: RequestListsOptions): Promise<ServerRun> {
  const cassette = listingClientCassette(opening, methods, calls);
  return runRecordedClient({ cassette, server, clock, ...(calls.length > 0 && { patience: CALL_PATIENCE }) });
}

function listsOf(run: ServerRun, first: Opening): ServerLists {
  const [said] = resultsOf(run, first);
  const [unanswered] = run.unanswered;
  if (said !== undefined && unanswered && toolOf(unanswered) !== undefined) throw notAnswered(run, toolOf(unanswered)!);
  if (said === undefined || unanswered) throw notListed(run, first);
  const items = (method: keyof typeof LISTS): Members[] =>
    resultsOf(run, method).flatMap((page) => {
      const list = page[LISTS[method]];
      return Array.isArray(list) ? list.filter(isObject) : [];
    });
  const serverInfo = said.serverInfo ?? metaOf(said)[META.serverInfo];
  return {
    opening: first,
    serverInfo: isObject(serverInfo) ? serverInfo : {},
    instructions: said.instructions,
    capabilities: isObject(said.capabilities) ? said.capabilities : {},
    tools: items('tools/list'),
    prompts: items('prompts/list'),
    resources: items('resources/list'),
    resourceTemplates: items('resources/templates/list'),
    answered: Object.keys(LISTS).filter((method) => resultsOf(run, method).length > 0),
    failedCalls: failedCallsOf(run),
  };
}

/** Returns the name of the called tool. Undefined: the request is no call. */
function toolOf({ message }: SessionEntry): string | undefined {
  return isRequest(message) && message.method === 'tools/call'
    ? String((message.params as Members | undefined)?.name)
    : undefined;
}

function failedCallsOf({ exchanges }: ServerRun): FailedCall[] {
  return exchanges.flatMap(({ request, live: { value } }) => {
    const tool = toolOf(request);
    if (tool === undefined || !isResponse(value)) return [];
    const error = errorOf(value);
    if (error !== undefined) return [{ tool, kind: `error ${String(error.code)}`, text: String(error.message) }];
    const { isError, content } = resultOf(value);
    if (isError !== true) return [];
    const texts = Array.isArray(content) ? content.filter(isObject).map(({ text }) => text) : [];
    return [{ tool, kind: 'isError', text: texts.filter((text) => typeof text === 'string').join(' ') }];
  });
}

function notAnswered(run: ServerRun, tool: string): McpRecordError {
  return new McpRecordError({
    code: 'SERVER_CALL_UNANSWERED',
    what: `Cannot record the call of ${JSON.stringify(tool)}`,
    why: run.stopped ?? (run.died ? 'the server ended before it had answered' : 'the server has not answered in time'),
    next: 'The cassette ends there: remove it. Start the server by itself to see what is wrong, or leave the call out.',
  });
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
  const { supported } = isObject(error?.data) ? error.data : {};
  const instead = Array.isArray(supported) ? `, and supports ${supported.join(', ')}` : '';
  const [unanswered] = run.unanswered;
  const open = unanswered && isRequest(unanswered.message) ? unanswered.message.method : first;
  const refused = error && `it answers ${first} with error ${String(error.code)}: ${String(error.message)}${instead}`;
  const isSilent = refused === undefined && !run.died;
  return new McpRecordError({
    code: 'SERVER_NOT_LISTED',
    what: 'Cannot list what the server offers',
    why:
      refused ??
      (run.stopped && `${run.stopped}, the first one for the answer to ${open}`) ??
      `it ${run.died ? 'ended before it had answered' : 'has not answered in time:'} ${open}`,
    next: `Start the server by itself to see what is wrong, or record a session with it: mcp-record record.${isSilent ? SILENCE : ''}`,
  });
}

const SILENCE = ' A server has to answer every request, and one that it does not know with error -32601.';
