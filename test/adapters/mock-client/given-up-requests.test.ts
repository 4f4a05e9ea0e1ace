/** A request that the mock client has given up: what the server answers late is no mistake of the server. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListRootsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { mockClient, request } from '../../../src/adapters/mock.ts';

const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};
const CALL = ['tools/call', { name: 't', arguments: {} }, { timeout: 20 }] as const;

/** Answers the calls of tools when its input ends. `TWICE`: each of them a second time, which is a mistake. */
const LATE = `
const calls = [];
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') say(id, ${JSON.stringify(INITIALIZED)});
  if (method === 'tools/call') calls.push(id);
}).on('close', () => {
  for (const id of calls) for (let n = 0; n < TIMES; n++) say(id, { content: [] });
});`;

it.each([
  ['once is no failure', 1, []],
  ['twice is one', 2, [{ kind: 'stray' }]],
])('a late answer over stdio that comes %s', async (_, times, failures) => {
  const args = ['-e', LATE.replace('TIMES', `${times}`)];
  const client = await mockClient({ server: { command: process.execPath, args } });
  await expect(client.request(...CALL)).rejects.toThrow('MOCK_NO_ANSWER');
  expect((await client.finish()).failures).toMatchObject(failures);
});

it('a call over HTTP that is still open at the end is no answer that nobody asked for', async () => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method } = JSON.parse(body || '{}');
    if (method === 'tools/call')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\ndata:\n\n');
    if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: INITIALIZED }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = await mockClient({ server: { url: `http://127.0.0.1:${port}/mcp` } });
  await expect(client.request(...CALL)).rejects.toThrow('MOCK_NO_ANSWER');
  expect((await client.finish()).failures).toEqual([]);
  server.closeAllConnections();
  server.close();
});

it('a server whose request is cancelled in time leaves no handler unfinished', async () => {
  const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, async () => {
    try {
      await server.request({ method: 'roots/list' }, ListRootsResultSchema, { timeout: 10 });
      return { content: [] };
    } catch {
      return { content: [], isError: true };
    }
  });
  const client = await mockClient({
    server: (transport: Transport) => server.connect(transport),
    handlers: [request('roots/list', () => new Promise<never>(() => {}))],
  } as never);
  const { isError } = await client.request('tools/call', { name: 't', arguments: {} });
  await client.journal.waitFor('notifications/cancelled');
  expect(isError).toBe(true);
  expect((await client.finish()).failures).toEqual([]);
});
