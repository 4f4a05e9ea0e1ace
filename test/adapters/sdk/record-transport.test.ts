import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client as Client2,
  InMemoryTransport as Memory2,
  type Transport as Transport2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport as Memory1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as Server1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Server as Server2 } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { linkedTransports, recordTransport, replayTransport, type SdkTransport } from '../../../src/adapters/sdk.ts';
import { verifyServer } from '../../../src/adapters/testing.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { server } from '../../e2e/verify/session.ts';
import { framesOf, freeNames, said, temporaryFolder } from '../../support/cassette.ts';
import { fixture, Running } from '../../support/process.ts';

const folder = temporaryFolder();
const free = freeNames(folder);

const info = { name: 'test', version: '1' };
const WEATHER = { name: 'weather', arguments: { city: 'Oslo' } };
const OSLO = { content: [{ type: 'text', text: 'Oslo has 20 degrees celsius' }] };
const tools = { capabilities: { tools: {} } };

/** Servers in this process that know the weather, each with the transport of its client. */
const inMemory = {
  async sdk1() {
    const [near, far] = Memory1.createLinkedPair();
    const weather = new Server1(info, tools);
    weather.setRequestHandler(CallToolRequestSchema, () => OSLO as never);
    await weather.connect(far);
    return { near, weather };
  },
  async sdk2() {
    const [near, far] = Memory2.createLinkedPair();
    const weather = new Server2(info, tools);
    weather.setRequestHandler('tools/call', () => OSLO as never);
    await weather.connect(far);
    return { near, weather };
  },
};

const { command, args } = server();

const ways: [string, () => Client1 | Client2, () => Promise<SdkTransport>][] = [
  ['SDK 1.x in this process', () => new Client1(info), async () => (await inMemory.sdk1()).near],
  ['SDK 2.x in this process', () => new Client2(info), async () => (await inMemory.sdk2()).near],
  ['SDK 1.x over stdio', () => new Client1(info), async () => new Stdio1({ command, args: [...args] })],
  ['SDK 2.x over stdio', () => new Client2(info), async () => new Stdio2({ command, args: [...args] })],
];

describe.each(ways)('a recorded transport of %s', (_, client, open) => {
  it('has on its cassette what passed, which replays', async () => {
    const file = free();
    const live = client();
    const transport = recordTransport(await open(), file);
    expect(transport.cassette).toBeUndefined();
    await live.connect(transport as never);
    expect(await live.callTool(WEATHER)).toMatchObject(OSLO);
    await live.close();
    expect(transport.cassette).toBe(file);
    expect(said(file)).toMatchObject([
      ['client', { method: 'initialize' }],
      ['server', { result: { capabilities: {} } }],
      ['client', { method: 'notifications/initialized' }],
      ['client', { method: 'tools/call', params: WEATHER }],
      ['server', { result: OSLO }],
      ['close', 'client'],
    ]);
    expect(loadCassette(file)).toMatchObject({ end: 'complete', warnings: [] });

    const replayed = client();
    const replay = replayTransport(file, { onUnused: 'fail' });
    await replayed.connect(replay as never);
    expect(await replayed.callTool(WEATHER)).toMatchObject(OSLO);
    await replayed.close();
    expect(await replay.outcome).toMatchObject({ failed: false });
  });
});

describe('a recorded transport', () => {
  async function recording(...options: [options?: Parameters<typeof recordTransport>[2]]) {
    const file = free();
    const { near, weather } = await inMemory.sdk1();
    const transport = recordTransport(near, file, ...options);
    const client = new Client1(info);
    await client.connect(transport);
    return { file, near, weather, transport, client };
  }

  it('takes the next free name where there is a cassette already', async () => {
    const file = free();
    writeFileSync(file, 'mine');
    const transport = recordTransport((await inMemory.sdk1()).near, file);
    const client = new Client1(info);
    await client.connect(transport);
    await client.close();
    expect(transport.cassette).toBe(file.replace('.yaml', '-2.yaml'));
    expect([readFileSync(file, 'utf8'), said(transport.cassette!).length]).toEqual(['mine', 4]);
  });

  it.each([
    [undefined, '[redacted:password:1]'],
    [true, '[redacted:password:1]'],
    [false, 'tr0ub4dor&3'],
  ])('redacts as recorders do, with redact: %s', async (redact, kept) => {
    const { file, client } = await recording(redact === undefined ? {} : { redact });
    await client.callTool({ name: 'weather', arguments: { password: 'tr0ub4dor&3' } });
    await client.close();
    const [, password] = /password: (.*)/.exec(readFileSync(file, 'utf8'))!;
    expect(password).toContain(kept);
  });

  it('takes rules of what is a secret', async () => {
    const { file, client } = await recording({ redact: { rules: [{ name: 'city', pattern: /Oslo/ }] } });
    await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
    await client.close();
    expect(readFileSync(file, 'utf8')).not.toContain('Oslo');
  });

  it('says who ended the session', async () => {
    const { file, weather, client } = await recording();
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    await weather.close();
    await closed;
    expect(said(file).at(-1)).toEqual(['close', 'server']);
    expect(loadCassette(file).end).toBe('complete');
  });

  it('may be that of a server', async () => {
    const file = free();
    const [near, far] = Memory1.createLinkedPair();
    const weather = new Server1(info, tools);
    await weather.connect(recordTransport(far, file, { side: 'server' }));
    const client = new Client1(info);
    await client.connect(near);
    await client.close();
    expect(said(file)).toMatchObject([
      ['client', { method: 'initialize' }],
      ['server', { result: {} }],
      ['client', { method: 'notifications/initialized' }],
      ['close', 'client'],
    ]);
  });

  it('is in everything else the transport that it was', async () => {
    const heard: unknown[] = [];
    class Inner {
      #secret = 7;
      sessionId = 'a session';
      onmessage?: SdkTransport['onmessage'];
      onclose?: SdkTransport['onclose'];
      onerror?: SdkTransport['onerror'];
      async start() {}
      async close() {}
      async send(message: unknown, options: unknown) {
        heard.push(message, options);
      }
      setProtocolVersion(version: string) {
        heard.push(version, this.#secret);
      }
      get secret() {
        return this.#secret;
      }
    }
    const inner = new Inner();
    const transport = recordTransport(inner, free());
    await transport.start();
    const [message, options] = [
      { jsonrpc: '2.0', method: 'ping' },
      { relatedRequestId: 3, later: true },
    ];
    await transport.send(message, options);
    transport.setProtocolVersion('2025-11-25');
    expect(heard).toEqual([message, options, '2025-11-25', 7]);
    transport.sessionId = 'another';
    expect([inner.sessionId, transport.secret, transport.constructor]).toEqual(['another', 7, Inner]);
    expect(transport).toBeInstanceOf(Inner);
    const extra = { authInfo: 'who' };
    transport.onmessage = (...all) => void heard.push(all);
    inner.onmessage?.(message, extra);
    expect(heard.at(-1)).toEqual([message, extra]);
  });

  it('of which nobody used anything leaves no cassette', async () => {
    const file = free();
    const transport = recordTransport((await inMemory.sdk1()).near, file);
    await transport.start();
    await transport.close();
    expect(existsSync(file)).toBe(false);
  });

  it('goes on without its cassette where the disk refuses it, and says so', async () => {
    const file = join(folder, 'no-folder');
    writeFileSync(file, '');
    const transport = recordTransport((await inMemory.sdk1()).near, join(file, 'cassette.yaml'));
    const client = new Client1(info);
    const errors: Error[] = [];
    client.onerror = (error) => void errors.push(error);
    await client.connect(transport);
    expect(await client.callTool(WEATHER)).toMatchObject(OSLO);
    await client.close();
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('[CASSETTE_NOT_WRITTEN]')]);
  });

  it('records each session of a transport that is started again', async () => {
    const file = free();
    const inner: SdkTransport = {
      async start() {},
      async close() {
        this.onclose?.();
      },
      async send() {},
    };
    const transport = recordTransport(inner, file);
    const cassettes: (string | undefined)[] = [];
    for (const method of ['first', 'second']) {
      await transport.start();
      await transport.send({ jsonrpc: '2.0', method });
      await transport.close();
      cassettes.push(transport.cassette);
    }
    expect(cassettes).toEqual([file, file.replace('.yaml', '-2.yaml')]);
    expect(cassettes.map((tape) => said(tape!)[0])).toMatchObject([
      ['client', { method: 'first' }],
      ['client', { method: 'second' }],
    ]);
  });

  it('has a cassette that loads when its process is killed', async () => {
    const file = free();
    await using client = new Running(fixture('records-itself.js', file, command, ...args));
    expect(await client.line()).toBe('answered');
    client.child.kill('SIGKILL');
    await client.read().ended;
    const { warnings } = loadCassette(file);
    expect(warnings).toEqual([expect.stringContaining('cut short here')]);
    expect(framesOf(file).filter(({ kind }) => kind === 'message').length).toBeGreaterThanOrEqual(4);
  });
});

// The compiler is asked, too: what is recorded stays what it was.
export const typed = (inner: Transport2): Transport2 => recordTransport(inner, 'cassette.yaml');

it('records a server of this process, which a test then plays the cassette to (docs/sdk-transports.md)', async () => {
  const createServer = () => {
    const weather = new Server1(info, tools);
    weather.setRequestHandler(CallToolRequestSchema, () => OSLO as never);
    return weather;
  };
  const cassette = free();
  const linked = linkedTransports();
  await createServer().connect(linked.server);
  const client = new Client1({ name: 'recording', version: '1.0.0' });
  await client.connect(recordTransport(linked.client, cassette));
  await client.callTool(WEATHER);
  await client.close();
  const { steps } = await verifyServer(cassette, (transport) => createServer().connect(transport));
  expect(steps.map(({ title, status }) => [title, status])).toEqual([
    ['initialize', 'passed'],
    ['tools/call "weather"', 'passed'],
  ]);
});
