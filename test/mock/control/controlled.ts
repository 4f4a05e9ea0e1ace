import { writeFileSync } from 'node:fs';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import type { Rule } from '../../../src/faults/rules/fault-rule.ts';
import { startControlledHttpServer } from '../../../src/mock/control/controlled-http-server.ts';
import { readMockFile } from '../../../src/mock/file/mock-file.ts';
import { emptyCassette, emptyModernCassette } from '../../../src/mock/server/empty-cassettes.ts';
import { expectationsOf } from '../../../src/replay/findings/failure-policy.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';
import type { Peer, TransportLike } from '../../e2e/session/peer.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';
import { type Answer, ask } from './described-api.ts';

/** A session of 2025-11-25 that lists a tool, and calls it with two cities. */
export const WEATHER = `format: mcp-record/1
transport: stdio
events:
  - client: { jsonrpc: '2.0', id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: app, version: '1' } } }
  - server: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: '1' } } }
  - client: { jsonrpc: '2.0', method: notifications/initialized }
  - client: { jsonrpc: '2.0', id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
  - server: { jsonrpc: '2.0', id: 1, result: { content: [{ type: text, text: Oslo has 20 degrees }] } }
  - client: { jsonrpc: '2.0', id: 2, method: tools/call, params: { name: weather, arguments: { city: Rome } } }
  - server: { jsonrpc: '2.0', id: 2, result: { content: [{ type: text, text: Rome has 30 degrees }] } }
`;

/** The same cassette in 2026-07-28, which has no sessions. */
export const MODERN = `format: mcp-record/1
transport: stdio
events:
  - client: { jsonrpc: '2.0', id: 1, method: tools/call, params: { _meta: { io.modelcontextprotocol/protocolVersion: '2026-07-28', io.modelcontextprotocol/clientCapabilities: {}, io.modelcontextprotocol/clientInfo: { name: app, version: '1' } }, name: weather, arguments: { city: Oslo } } }
  - server: { jsonrpc: '2.0', id: 1, result: { resultType: complete, content: [{ type: text, text: Oslo has 20 degrees }] } }
`;

export interface Controlled {
  /** Where clients of MCP connect. */
  url: string;
  controlUrl: string;
  /** Asks the control API: `api('PUT /faults', { faults: [] })`. */
  api(request: string, body?: unknown): Promise<Answer>;
  connect(): Promise<Peer>;
  call(peer: Peer, city: string): Promise<unknown>;
  /** What was found, as it was found. */
  found: Finding[];
  finish: Awaited<ReturnType<typeof startControlledHttpServer>>['finish'];
}

interface Start {
  text?: string;
  /** Whether the text is a mock file, not a cassette. */
  isMockFile?: boolean;
  strict?: boolean;
  rules?: readonly Rule[];
  isInitialRequired?: boolean;
}

/** Starts a mock server with its control API for one test. */
export async function controlled(
  file: string,
  { text = WEATHER, isMockFile = false, strict = false, rules = [], isInitialRequired = false }: Start = {},
): Promise<Controlled> {
  writeFileSync(file, text);
  const found: Finding[] = [];
  const { handlers = [], ...description } = isMockFile ? readMockFile(file) : {};
  const server = await startControlledHttpServer({
    name: file,
    cassettes: isMockFile ? [emptyCassette(), emptyModernCassette()] : [loadCassette(file)],
    ...(isMockFile && { description }),
    endpoint: { ...expectationsOf(strict), handlers },
    faults: { initial: { rules, seed: 0 }, isInitialRequired },
    allowed: [],
    control: { address: { hostname: '127.0.0.1', port: 0 }, refused() {} },
    report: (finding) => found.push(finding),
  });
  onTestFinished(async () => void (await server.finish()));
  const { url, controlUrl, finish } = server;
  return {
    url,
    controlUrl,
    api: (request, body) => ask(controlUrl, request, body),
    async connect() {
      const peer = await sdk1Over(new StreamableHTTPClientTransport(new URL(url)) as TransportLike);
      onTestFinished(() => peer.close());
      return peer;
    },
    call: async (peer, city) => {
      const { content } = (await peer.request('tools/call', { name: 'weather', arguments: { city } })) as {
        content: { text: string }[];
      };
      return content[0]!.text;
    },
    found,
    finish,
  };
}
