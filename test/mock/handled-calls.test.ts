import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import { type HttpOptions, mockServer, tool } from '../../src/adapters/mock.ts';
import { temporaryFolder } from '../support/cassette.ts';

const CASSETTE = join(temporaryFolder(), 'weather.yaml');
writeFileSync(
  CASSETTE,
  `format: mcp-record/1
events:
- client: { id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- server: { id: 1, result: { content: [{ type: text, text: sunny }] } }
`,
);

async function start(over: 'memory' | 'stdio' | 'http') {
  const server = await mockServer({ cassette: CASSETTE, over, handlers: [], onUnused: 'fail' } as HttpOptions);
  const connect = async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const {
      url,
      transport,
      command,
      args = [],
    } = server as Partial<Record<'url' | 'command', string>> & {
      transport?: Transport;
      args?: readonly string[];
    };
    const own = url ? new StreamableHTTPClientTransport(new URL(url)) : undefined;
    await client.connect(
      (own ?? transport ?? new StdioClientTransport({ command: command!, args: [...args] })) as Transport,
    );
    return client;
  };
  const kinds = async () => (await server.finish()).failures.map(({ kind }) => kind);
  return { server, connect, kinds };
}

type Started = Awaited<ReturnType<typeof start>>['server'];

const OSLO = { name: 'weather', arguments: { city: 'Oslo' } };
const call = async (client: Client, signal?: AbortSignal) =>
  ((await client.callTool(OSLO, undefined, signal && { signal })).content as { text: string }[])[0]!.text;

describe.each(['memory', 'stdio', 'http'] as const)('over %s, a recorded call', (over) => {
  /** Makes a call, and cancels it when the handler has it. */
  const cancelled = async (client: Client, { server, entered }: { server: Started; entered: Promise<void> }) => {
    const leaving = new AbortController();
    const failed = expect(call(client, leaving.signal)).rejects.toThrow();
    await entered;
    leaving.abort(new Error('no time'));
    await failed;
    // Over HTTP the cancel is a request of its own.
    await expect.poll(() => server.journal.notifications('notifications/cancelled')).toHaveLength(1);
  };
  const silent = (once = false) => {
    let enter = () => {};
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    const answer = () => {
      enter();
      return new Promise<string>(() => {});
    };
    return { entered, handler: tool('weather', answer, { once }) };
  };

  it('was made, also if its client did not wait for the handler', async () => {
    const { server, connect, kinds } = await start(over);
    const { entered, handler } = silent();
    server.use(handler);
    const client = await connect();
    await cancelled(client, { server, entered });
    await client.close();
    expect(await kinds()).toEqual([]);
  });

  it('was made, also if the handler still has it at the end', async () => {
    const { server, connect, kinds } = await start(over);
    const { entered, handler } = silent();
    server.use(handler);
    const client = await connect();
    const failed = expect(call(client)).rejects.toThrow();
    await entered;
    const found = await kinds();
    expect(found).toContain('unfinished');
    expect(found).not.toContain('unused');
    await client.close();
    await failed;
  });

  it('may be made again after a handler that did not answer in time', async () => {
    const { server, connect, kinds } = await start(over);
    const { entered, handler } = silent(true);
    server.use(handler);
    const client = await connect();
    await cancelled(client, { server, entered });
    expect(await call(client)).toBe('sunny');
    await client.close();
    expect(await kinds()).toEqual([]);
  });

  it('is used up by a handler that answers it once', async () => {
    const { server, connect, kinds } = await start(over);
    server.use(tool('weather', () => 'rain', { once: true }));
    const client = await connect();
    expect(await call(client)).toBe('rain');
    await expect(call(client)).rejects.toThrow('already used');
    await client.close();
    expect(await kinds()).toEqual(['miss']);
  });

  it('is left by a handler for any number of requests, and counts as made', async () => {
    const { server, connect, kinds } = await start(over);
    server.use(tool('weather', () => 'rain'));
    const client = await connect();
    expect([await call(client), await call(client)]).toEqual(['rain', 'rain']);
    server.resetHandlers();
    expect(await call(client)).toBe('sunny');
    await client.close();
    expect(await kinds()).toEqual([]);
  });

  it('is not used up by a handler that fails it, or that passes it to the cassette', async () => {
    const { server, connect, kinds } = await start(over);
    server.use(tool('weather', (_, { passthrough }) => passthrough(), { once: true }));
    server.use(tool('weather', () => Promise.reject(new Error('busy')), { once: true }));
    const client = await connect();
    expect([await call(client), await call(client)]).toEqual(['busy', 'sunny']);
    await client.close();
    expect(await kinds()).toEqual([]);
  });
});

it('a recorded call is used up for the client that made it', async () => {
  const { server, connect, kinds } = await start('http');
  server.use(tool('weather', () => 'rain', { once: true }));
  const [one, two] = [await connect(), await connect()];
  expect([await call(one), await call(two)]).toEqual(['rain', 'sunny']);
  await Promise.all([one.close(), two.close()]);
  expect(await kinds()).toEqual([]);
});
