import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type MockClientOptions, mockClient } from '../../../src/adapters/mock.ts';
import type { TestedServer } from '../../../src/adapters/testing.ts';

const introduction = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'a', version: '1' },
};

/** A server process that answers every request. `answers` and `atEnd` are code: of a request, and of the input's end. */
function program({ answers = '', atEnd = '' }: { answers?: string; atEnd?: string }): TestedServer {
  const code = `
    const results = { initialize: ${JSON.stringify(introduction)} };
    const answer = (id, method) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      ${answers}
      if (id !== undefined) answer(id, method);
    }).on('close', () => { ${atEnd} });`;
  return { command: process.execPath, args: ['-e', code] };
}

/** Calls a server once, and returns what fails the test. */
async function failures(server: TestedServer, options: Omit<MockClientOptions, 'server'> = {}): Promise<string[]> {
  const client = await mockClient({ server, ...options });
  await client.request('ping');
  return (await client.finish()).failures.map(({ kind, text }) => `${kind}: ${text}`);
}

describe('a mock client sends number ids from 0, as clients of the official SDKs do', () => {
  const seen = program({ answers: '(results.ping ??= { ids: [] }).ids.push(id);' });
  const idsOf = async (options: Omit<MockClientOptions, 'server'>) => {
    const client = await mockClient({ server: seen, ...options });
    await client.request('ping');
    const { ids } = await client.request('ping');
    expect(await client.finish()).toMatchObject({ failed: false });
    return ids;
  };

  it('so that a server that loses them fails the test', async () => {
    expect(await idsOf({})).toEqual([0, null, 1, 2]);
    const loses = program({ answers: 'if (typeof id === "number" && method === "ping") return;' });
    const client = await mockClient({ server: loses });
    const lost = { code: 'MOCK_NO_ANSWER' };
    await expect(client.request('ping', {}, { timeout: 100 })).rejects.toMatchObject(lost);
    await client.finish();
  });

  it('or strings, if the test says so', async () => {
    expect(await idsOf({ requestIds: 'string' })).toEqual([
      'mcp-record:mock:1',
      null,
      'mcp-record:mock:2',
      'mcp-record:mock:3',
    ]);
  });
});
