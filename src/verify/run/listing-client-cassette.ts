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

/** Returns a client, as a cassette, that opens a session and requests the lists of these methods. */
export function listingClientCassette(opening: Opening, methods: readonly string[]): Cassette {
  const events = opening === 'initialize' ? legacyEvents(methods) : modernEvents(methods);
  return parseCassette(JSON.stringify({ format: 'mcp-record/1', events }), 'the lists of a server');
}

function legacyEvents(methods: readonly string[]): Members[] {
  const clientInfo = { name: 'mcp-record', version: packageVersion() };
  const params = { protocolVersion: NEWEST_LEGACY, capabilities: CAPABILITIES, clientInfo };
  return [
    { client: { id: 0, method: 'initialize', params } },
    { server: { id: 0, result: { protocolVersion: NEWEST_LEGACY, capabilities: {}, serverInfo: clientInfo } } },
    { client: { method: 'notifications/initialized' } },
    ...listCalls(methods, {}),
  ];
}

function modernEvents(methods: readonly string[]): Members[] {
  const _meta = {
    [META.protocolVersion]: FIRST_MODERN,
    [META.clientInfo]: { name: 'mcp-record', version: packageVersion() },
    [META.clientCapabilities]: CAPABILITIES,
  };
  return [
    { client: { id: 0, method: 'server/discover', params: { _meta } } },
    { server: { id: 0, result: { resultType: 'complete', supportedVersions: [FIRST_MODERN], capabilities: {} } } },
    ...listCalls(methods, { params: { _meta } }),
  ];
}

function listCalls(methods: readonly string[], members: Members): Members[] {
  return methods.flatMap((method, index) => [
    { client: { id: index + 1, method, ...members } },
    { server: { id: index + 1, result: { [LISTS.get(method)!.field]: [] } } },
  ]);
}
