import type { Cassette } from '../../cassette/cassette.ts';
import { parseCassette } from '../../cassette/read/parse-cassette.ts';
import { packageVersion } from '../../kernel/installed-package.ts';
import { META } from '../../protocol/meta.ts';
import { LISTS } from '../../protocol/method-table.ts';
import { FIRST_MODERN, NEWEST_LEGACY } from '../../protocol/revisions.ts';

type Members = Record<string, unknown>;

/** First request of a session: `initialize` up to 2025-11-25, `server/discover` from 2026-07-28 on. */
export type Opening = 'initialize' | 'server/discover';

/** Capabilities that servers may require before they list certain tools. Their requests are answered with an error. */
const CAPABILITIES: Members = {
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

/** A call of a tool. */
export interface ToolCall {
  name: string;
  /** A JSON object, as text: its numbers are sent as they are written. */
  arguments: string;
}

/** Returns a client, as a cassette, that opens a session, requests the lists of these methods, and makes calls one by one. */
export function listingClientCassette(
  opening: Opening,
  methods: readonly string[],
  calls: readonly ToolCall[] = [],
): Cassette {
  const [opened, members] = opening === 'initialize' ? [legacyOpening(), {}] : modernOpening();
  const events = [
    ...[...opened, ...listRequests(methods, members)].map((event) => JSON.stringify(event)),
    ...calls.flatMap((call, index) => callEvents(call, methods.length + index + 1, members)),
  ];
  const text = `{"format":"mcp-record/1","events":[${events.join(',')}]}`;
  return parseCassette(text, 'the lists of a server');
}

function legacyOpening(): Members[] {
  const clientInfo = { name: 'mcp-record', version: packageVersion() };
  const params = { protocolVersion: NEWEST_LEGACY, capabilities: CAPABILITIES, clientInfo };
  return [
    { client: { id: 0, method: 'initialize', params } },
    { server: { id: 0, result: { protocolVersion: NEWEST_LEGACY, capabilities: {}, serverInfo: clientInfo } } },
    { client: { method: 'notifications/initialized' } },
  ];
}

/** Returns the events of the opening, and the params of all requests. */
function modernOpening(): [events: Members[], params: Members] {
  const _meta = {
    [META.protocolVersion]: FIRST_MODERN,
    [META.clientInfo]: { name: 'mcp-record', version: packageVersion() },
    [META.clientCapabilities]: CAPABILITIES,
  };
  const events = [
    { client: { id: 0, method: 'server/discover', params: { _meta } } },
    { server: { id: 0, result: { resultType: 'complete', supportedVersions: [FIRST_MODERN], capabilities: {} } } },
  ];
  return [events, { _meta }];
}

function listRequests(methods: readonly string[], params: Members): Members[] {
  const members = Object.keys(params).length === 0 ? {} : { params };
  return methods.flatMap((method, index) => [
    { client: { id: index + 1, method, ...members } },
    { server: { id: index + 1, result: { [LISTS.get(method)!.field]: [] } } },
  ]);
}

/** Returns a call and an answer, as JSON texts: the next call waits for the answer. */
function callEvents({ name, arguments: given }: ToolCall, id: number, params: Members): string[] {
  const shared = Object.entries(params).map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`);
  const written = `{"name":${JSON.stringify(name)},"arguments":${given}${shared.join('')}}`;
  return [
    `{"client":{"id":${id},"method":"tools/call","params":${written}}}`,
    JSON.stringify({ server: { id, result: { content: [] } } }),
  ];
}
