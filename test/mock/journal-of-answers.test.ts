/** What clients have answered is in the journal, of each revision over each transport. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLiveEndpoint } from '../../src/adapters/endpoint/forward-or-record-endpoint.ts';
import { type HttpOptions, mockClient, mockServer, tool } from '../../src/adapters/mock.ts';
import { elicited } from '../e2e/session/answers.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { connectTo, WAYS } from './clients.ts';

const folder = temporaryFolder();
const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const book = tool('book', async (_, { elicit, ask }) => {
  const [{ action }] = await Promise.all([elicit(FORM), ask('roots/list')]);
  return action;
});
const called = { content: [{ type: 'text', text: 'accept' }] };

describe.each(WAYS)('over $over, of $client', ({ client, over }) => {
  it('are found by their method, and waited for', async () => {
    const server = await mockServer({ over, handlers: [book] } as HttpOptions);
    const answered = server.journal.waitFor('elicitation/create');
    const peer = await connectTo(server, client);
    expect(server.journal.answers('elicitation/create')).toEqual([]);
    expect(await peer.request('tools/call', { name: 'book', arguments: {} })).toMatchObject(called);
    expect(server.journal.answers('elicitation/create')).toMatchObject([{ result: { action: 'accept' } }]);
    expect(server.journal.answers('roots/list')).toMatchObject([{ result: { roots: expect.anything() } }]);
    expect(await answered).toMatchObject({ kind: 'answer', to: 'elicitation/create', result: { action: 'accept' } });
    await peer.close();
    await server.finish();
  });
});

const TAPE = join(folder, 'asks.yaml');
writeFileSync(
  TAPE,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: server/discover, params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } }
- server: { jsonrpc: "2.0", id: 0, result: { resultType: complete, supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, serverInfo: { name: s, version: "1" }, ttlMs: 0, cacheScope: private } }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: book, arguments: {} } }
- server: { jsonrpc: "2.0", id: 1, result: { resultType: input_required, requestState: s, inputRequests: { a: { method: elicitation/create, params: ${JSON.stringify(FORM)} } } } }
- client: { jsonrpc: "2.0", id: 2, method: tools/call, params: { name: book, arguments: {}, requestState: s, inputResponses: { a: ${JSON.stringify(elicited(FORM as never))} } } }
- server: { jsonrpc: "2.0", id: 2, result: { resultType: complete, content: [] } }
`,
);

it.each(['memory', 'stdio'] as const)('are found with a cassette over %s', async (over) => {
  const options = { over, onUnused: 'report', onDifference: 'report', onMiss: 'report' };
  const server = await mockServer(TAPE, options as never as HttpOptions);
  const peer = await connectTo(server, 'client 2 with 2026-07-28');
  await peer.request('tools/call', { name: 'book', arguments: {} });
  expect(server.journal.answers('elicitation/create')).toMatchObject([{ id: 'a', result: { action: 'accept' } }]);
  await peer.close();
  await server.finish();
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, roots: {} },
};

it('are found with a real server, of which each response is JSON or a stream', async () => {
  await using mock = await mockServer({ over: 'http', handlers: [book], onDifference: 'report' });
  const endpoint = openLiveEndpoint({ url: mock.url, cassette: undefined, mode: 'record', send: fetch } as never);
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'book',
  };
  const ask = async (id: number, more: object = {}) => {
    const params = { _meta, name: 'book', arguments: {}, ...more };
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
    const response = await endpoint.fetch(new Request(mock.url, { method: 'POST', headers, body }));
    const text = await response.text();
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)).result;
  };
  const { inputRequests, requestState } = await ask(1);
  const keys = Object.keys(inputRequests);
  expect(keys).toHaveLength(2);
  const inputResponses = { [keys[0]!]: { action: 'decline' }, [keys[1]!]: { roots: [] } };
  await ask(2, { inputResponses, requestState });
  expect(endpoint.journal.answers('elicitation/create')).toMatchObject([{ result: { action: 'decline' } }]);
  expect(endpoint.journal.answers('roots/list')).toMatchObject([{ result: { roots: [] } }]);
});

it.each(['2025-11-25', '2026-07-28'])('a mock client of %s has what the server asks', async (protocolVersion) => {
  await using server = await mockServer({ over: 'http', handlers: [book] });
  const { request } = await import('../../src/adapters/mock.ts');
  await using client = await mockClient({
    server: { url: server.url },
    protocolVersion,
    handlers: [
      request('elicitation/create', () => ({ action: 'accept', content: {} })),
      request('roots/list', () => ({ roots: [] })),
    ],
  } as never);
  expect(await client.request('tools/call', { name: 'book', arguments: {} })).toMatchObject(called);
  expect(client.journal.requests('elicitation/create')).toMatchObject([{ params: FORM }]);
  expect(client.journal.requests('roots/list')).toHaveLength(1);
});
