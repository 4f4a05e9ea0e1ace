import { join } from 'node:path';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { replayTransport } from '../../src/adapters/sdk.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/tape.ts';

const folder = temporaryFolder();
const tape = join(folder, 'tape.yaml');
const recorded = recordSession(tape);

const info = { name: 'test', version: '1' };
const WEATHER = { name: 'weather', arguments: { city: 'Oslo' } };
const answer = { content: [{ type: 'text', text: 'Oslo has 20 degrees celsius' }] };

describe('a cassette as a transport', () => {
  it.each([
    ['SDK 1.x', () => new Client1(info)],
    ['client 2.x', () => new Client2(info)],
  ])('serves a client of %s', async (_, make) => {
    await recorded;
    const transport = replayTransport(tape, { onUnused: 'report' });
    const client = make();
    await client.connect(transport);
    expect(await client.callTool(WEATHER)).toMatchObject(answer);
    await client.close();
    expect(await transport.outcome).toMatchObject({ mode: 'replay', failed: false });
  });

  it('says to onerror what the tape did not have', async () => {
    await recorded;
    const transport = replayTransport(tape);
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
    const transport = replayTransport(tape);
    await expect(transport.send({})).rejects.toThrow(/\[TRANSPORT_NOT_CONNECTED\]/);
    await transport.start();
    await transport.close();
    await expect(transport.send({})).rejects.toThrow(/\[TRANSPORT_NOT_CONNECTED\]/);
  });
});
