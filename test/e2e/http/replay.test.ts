import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayed } from '../../support/command.ts';
import { connectClient2 } from '../session/client-2.ts';
import { modernSteps } from '../session/modern-steps.ts';
import { runSession } from '../session/run.ts';
import { connectSdk1 } from '../session/sdk-1.ts';
import { steps } from '../session/steps.ts';
import type { Transcript } from '../session/transcript.ts';
import { modern2, streamable1 } from './clients.ts';
import { outcomes } from './outcomes.ts';
import { replay } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-http-replay-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const cassette = (name: string) => join(import.meta.dirname, '..', '..', '..', 'cassettes', `${name}.yaml`);

/** The same, of an error only that it was one: what clients make of it differs by transport. */
const answers = (told: Transcript) =>
  outcomes(told).map(({ step, outcome }) => {
    const isError = typeof outcome === 'object' && outcome !== null && 'error' in outcome;
    return { step, outcome: isError ? 'an error' : outcome };
  });

describe('a session that was recorded over stdio', () => {
  it('is replayed over HTTP', async () => {
    const file = cassette('everything');
    const stdio = await runSession(await connectSdk1(replayed(file)), steps);
    await using mock = await replay(file);
    const http = await runSession(await streamable1(mock.url), steps);
    expect(outcomes(http)).toEqual(outcomes(stdio));
  });

  it('of 2026-07-28 too', async () => {
    const file = cassette('client-2-pinned');
    const stdio = await runSession(await connectClient2(replayed(file), { pin: '2026-07-28' }), modernSteps);
    await using mock = await replay(file);
    const http = await runSession(await modern2(mock.url), modernSteps);
    expect(answers(http)).toEqual(answers(stdio));
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };
const BOTH = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
});
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('a client that does not keep the rules of HTTP', () => {
  it('is refused as its revision says', async () => {
    await using mock = await replay(cassette('everything'));
    const ask = async (init: RequestInit, path = '') => (await fetch(new URL(path, mock.url), init)).status;
    const post = (body: string, headers: Record<string, string>) => ask({ method: 'POST', body, headers });
    const opened = await fetch(mock.url, { method: 'POST', body: INITIALIZE, headers: BOTH });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
    await opened.text();

    expect(await post(PING, { ...BOTH, ...session })).toBe(200);
    expect(await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', { ...BOTH, ...session })).toBe(202);
    expect(await post(PING, BOTH)).toBe(400);
    expect(await post(PING, { ...BOTH, 'mcp-session-id': 'another' })).toBe(404);
    expect(await post(PING, { ...JSON_TYPE, accept: 'application/json', ...session })).toBe(406);
    expect(await post(PING, { ...BOTH, ...session, 'content-type': 'text/plain' })).toBe(415);
    expect(await post('{', { ...BOTH, ...session })).toBe(400);
    expect(await post('[]', { ...BOTH, ...session })).toBe(400);
    expect(await ask({ method: 'PUT' })).toBe(405);
    expect(await ask({ method: 'GET', headers: { accept: 'text/html', ...session } })).toBe(406);
    expect(await ask({}, '/.well-known/oauth-protected-resource')).toBe(404);
    expect(await post(PING, { ...BOTH, ...session, 'mcp-protocol-version': '1999-01-01' })).toBe(400);
    expect(await post(PING, { ...BOTH, ...session, origin: 'https://evil.example' })).toBe(403);
    expect(await ask({ method: 'GET' }, '/mpc')).toBe(404);
    expect(await ask({ method: 'POST', body: PING }, '/mpc')).toBe(404);
    expect(await ask({ method: 'DELETE', headers: session })).toBe(200);
    expect(await post(PING, { ...BOTH, ...session })).toBe(404);
    await mock.stop();
    expect(mock.said.filter((line) => line.startsWith('mcp-record: refused'))).toEqual([
      'mcp-record: refused POST /mcp: Origin is "https://evil.example", which is not this machine.',
      'mcp-record: refused GET /mpc: There is nothing but /mcp.',
      'mcp-record: refused POST /mpc: There is nothing but /mcp.',
    ]);
    const stray = 'The client sent a POST of ping to /mpc, refused with HTTP 404: the endpoint is /mcp.';
    expect(mock.said).toContain(`mcp-record: ${stray}`);
  });

  it('is refused what the headers of 2026-07-28 say and the body does not', async () => {
    await using mock = await replay(cassette('client-2-pinned'));
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } });
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(mock.url, { method: 'POST', body, headers: { ...BOTH, ...headers } });
      const { error } = (await response.json()) as { error?: { code: number } };
      return [response.status, error?.code];
    };
    const right = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
    expect(await ask(right)).toEqual([200, undefined]);
    expect(await ask({ ...right, 'mcp-method': 'tools/list' })).toEqual([400, -32020]);
    expect(await ask({ 'mcp-method': 'server/discover' })).toEqual([400, -32020]);
    expect((await fetch(mock.url, { headers: { accept: 'text/event-stream' } })).status).toBe(405);
  });
});

it('what the cassette does not have is a miss, said at once, and the run falls short', async () => {
  await using mock = await replay(cassette('memory'));
  const peer = await streamable1(mock.url);
  await expect(peer.request('tools/call', { name: 'no-such', arguments: {} })).rejects.toThrow('-32603');
  await peer.close();
  const { status } = await mock.stop();
  expect([status, mock.said.join('\n')]).toEqual([1, expect.stringContaining('Cannot answer tools/call "no-such"')]);
});
