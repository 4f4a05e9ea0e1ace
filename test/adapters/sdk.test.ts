import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { clientTransport, linkedTransports, replayTransport } from '../../src/adapters/sdk.ts';
import { failedSteps } from '../../src/text-report/outcome-model.ts';
import { recordedServer } from '../e2e/adapters/joined.ts';
import { capabilities } from '../e2e/session/answers.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
const recorded = recordSession(cassette);

const info = { name: 'test', version: '1' };
const WEATHER = { name: 'weather', arguments: { city: 'Oslo' } };
const answer = { content: [{ type: 'text', text: 'Oslo has 20 degrees celsius' }] };

describe('a cassette as a transport', () => {
  it.each([
    ['SDK 1.x', () => new Client1(info, { capabilities })],
    ['client 2.x', () => new Client2(info, { capabilities })],
  ])('serves a client of %s', async (_, make) => {
    await recorded;
    const transport = replayTransport(cassette, { onUnused: 'report' });
    const client = make();
    await client.connect(transport);
    expect(await client.callTool(WEATHER)).toMatchObject(answer);
    await client.close();
    expect(await transport.outcome).toMatchObject({ mode: 'replay', failed: false });
  });

  it('says to onerror what the cassette did not have', async () => {
    await recorded;
    const transport = replayTransport(cassette);
    const client = new Client1(info);
    await client.connect(transport);
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await expect(client.callTool({ name: 'weather', arguments: { city: 'Rome' } })).rejects.toThrow('-32603');
    await client.close();
    expect(errors.map(({ message }) => message).join()).toMatch(/\[SESSION_FELL_SHORT\]/);
    expect((await transport.outcome).failed).toBe(true);
  });

  it('that is not there fails to connect, with what to do', async () => {
    const client = new Client1(info);
    const missing = replayTransport(join(folder, 'none.yaml'));
    await expect(client.connect(missing)).rejects.toThrow(/\[CASSETTE_MISSING\]/);
  });

  it('sends nothing before it is started, nor after it was closed', async () => {
    await recorded;
    const transport = replayTransport(cassette);
    await expect(transport.send({})).rejects.toThrow(/\[TRANSPORT_NOT_CONNECTED\]/);
    await transport.start();
    await transport.close();
    await expect(transport.send({})).rejects.toThrow(/\[TRANSPORT_NOT_CONNECTED\]/);
  });
});

describe('a recorded client as a transport', () => {
  it('closes when it has said all, and tells how it was answered', async () => {
    await recorded;
    const transport = clientTransport(cassette);
    await recordedServer(cassette)(transport);
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    expect(failedSteps(await transport.outcome)).toEqual([]);
    await closed;
  });

  it('says to onerror what differs', async () => {
    await recorded;
    const other = join(folder, 'warmer.yaml');
    writeFileSync(other, readFileSync(cassette, 'utf8').replaceAll('20 degrees', '30 degrees'));
    const transport = clientTransport(cassette);
    const errors: Error[] = [];
    transport.onerror = (error) => errors.push(error);
    await recordedServer(other)(transport);
    expect(failedSteps(await transport.outcome).length).toBeGreaterThan(0);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('[SESSION_DIFFERS]')]);
  });

  it('whose cassette is not there fails to start', async () => {
    const transport = clientTransport(join(folder, 'none.yaml'));
    await expect(transport.start()).rejects.toThrow('[CASSETTE_NOT_FOUND]');
    await expect(transport.send({})).rejects.toThrow('[TRANSPORT_NOT_CONNECTED]');
    await transport.close();
  });
});

describe('linked transports', () => {
  const weather = async () => ({ content: [{ type: 'text' as const, text: 'sunny' }] });
  const server1 = () => {
    const server = new McpServer(info);
    server.registerTool('weather', {}, weather);
    return server;
  };
  const server2 = () => {
    const server = new McpServer2(info);
    server.registerTool('weather', {}, weather);
    return server;
  };

  it.each([
    ['1.x', '1.x', server1, () => new Client1(info, { capabilities })],
    ['1.x', '2.x', server1, () => new Client2(info, { capabilities })],
    ['2.x', '1.x', server2, () => new Client1(info, { capabilities })],
    ['2.x', '2.x', server2, () => new Client2(info, { capabilities })],
  ])('link a server of SDK %s with a client of %s', async (_server, _client, makeServer, makeClient) => {
    using linked = linkedTransports();
    const client = makeClient();
    await makeServer().connect(linked.server as Transport & typeof linked.server);
    await client.connect(linked.client as Transport & typeof linked.client);
    expect(await client.callTool({ name: 'weather' })).toMatchObject(await weather());
    await client.close();
  });

  it('misbehave as they are told, and say what happened', async () => {
    const failing = { do: 'error-reply', message: 'not today', when: { method: 'tools/call' } };
    using linked = linkedTransports({ faults: [failing, { do: 'drop', when: { tool: 'rain' } }] });
    await server1().connect(linked.server as Transport);
    const client = new Client1(info);
    await client.connect(linked.client as Transport);
    await expect(client.callTool({ name: 'weather' })).rejects.toThrow('not today');
    expect(linked.fired.map(({ fault }) => fault)).toEqual(['error-reply']);
    expect(linked.unfired).toEqual([expect.stringContaining('Rule 2 (drop) never fired')]);
    linked.misbehave([]);
    expect(await client.callTool({ name: 'weather' })).toMatchObject(await weather());
    expect(() => linked.misbehave([{ do: 'slice' }])).toThrow('[FAULT_NO_MEANING]');
    await client.close();
  });
});
