import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { openSession, type Session, type SessionOptions } from '../../src/modes/open-session.ts';
import { server } from '../e2e/http/processes.ts';
import { inOnePiece } from '../e2e/http/server-in-one-piece.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { sdkTransport } from '../support/sdk-transport.ts';

const folder = temporaryFolder();

async function connect({ channel }: Session): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(sdkTransport(channel));
  return client;
}

/** A run of a test that adds two numbers. */
async function add(options: SessionOptions) {
  const session = await openSession({ env: {}, onUnused: 'fail', ...options });
  const client = await connect(session);
  const said = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
  await client.close();
  return { said, ...(await session.finish({ passed: true })) };
}

const FIVE = { content: [{ type: 'text', text: '5' }] };

describe('a session with a server over HTTP', () => {
  it.each(['json', 'sse', 'stateless'])('that answers by %s is recorded, and replayed without it', async (form) => {
    const cassette = join(folder, `${form}.yaml`);
    {
      await using live = await server('sdk-1.js', form);
      const first = await add({ cassette, server: { url: live.url.href } });
      expect(first).toMatchObject({ said: FIVE, mode: 'record', failed: false, written: cassette });
    }
    expect(await add({ cassette })).toMatchObject({ said: FIVE, mode: 'replay', failed: false });
  });

  it('gives the server the headers that it asks for, and no cassette has them', async () => {
    const cassette = join(folder, 'headers.yaml');
    const keys: unknown[] = [];
    const guarded = createServer((request, response) => {
      keys.push(request.headers['x-key']);
      request.resume();
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 'guarded', version: '1' },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result }));
    });
    await once(guarded.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(guarded.address() as AddressInfo).port}/mcp`;
    const server = { url, headers: { 'X-Key': 'let-me-in-please' } };
    const session = await openSession({ cassette, env: {}, server });
    await connect(session);
    await session.finish({ passed: true });
    guarded.close();
    expect(new Set(keys)).toEqual(new Set(['let-me-in-please']));
    expect(readFileSync(cassette, 'utf8')).not.toContain('let-me-in-please');
  });

  it('whose progress and answer come in one piece gets the progress to the client, too', async () => {
    await using far = await inOnePiece();
    const session = await openSession({ cassette: join(folder, 'piece.yaml'), env: {}, server: { url: far.url } });
    const client = await connect(session);
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    await client.callTool({ name: 'add' }, undefined, { onprogress });
    await client.close();
    expect(await session.finish({ passed: true })).toMatchObject({ mode: 'record', failed: false });
    expect(seen).toEqual([1, 2]);
  });

  it('that is not there says so, and leaves no cassette', async () => {
    const cassette = join(folder, 'nobody.yaml');
    const session = await openSession({ cassette, env: {}, server: { url: 'http://127.0.0.1:1/mcp' } });
    await expect(connect(session)).rejects.toThrow('Connection closed');
    const { findings } = await session.finish({ passed: false });
    expect(findings.map(({ text }) => text)).toEqual([expect.stringContaining('127.0.0.1:1')]);
    expect(existsSync(cassette)).toBe(false);
  });

  it('whose URL is none is refused before anything is said', async () => {
    const opening = openSession({ cassette: join(folder, 'url.yaml'), env: {}, server: { url: 'weather' } });
    await expect(opening).rejects.toThrow(/\[USAGE_BAD_URL\]/);
  });
});
