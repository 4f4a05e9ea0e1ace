import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpRecord } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { run } from '../../support/process.ts';
import { call } from '../session/steps.ts';
import { streamable1 } from './clients.ts';
import { behind, record, server } from './processes.ts';
import { NAME, secured, webProxy } from './web-proxy.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-web-proxy-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const post = (url: URL) => fetch(url, { method: 'POST', body: '{}' });

async function recordedAndVerified(scheme: 'http' | 'https'): Promise<void> {
  await using far = await server('sdk-1.js', 'sse');
  using proxy = await webProxy();
  using tls = scheme === 'https' ? await secured(Number(far.url.port), folder) : undefined;
  const trusted = tls ? ['--ca', tls.ca] : [];
  const port = tls?.port ?? far.url.port;
  const url = new URL(`${scheme}://${NAME}:${port}/mcp`);
  const environment = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  const cassette = join(folder, `${scheme}.yaml`);

  await using recorder = await record(url, cassette, ...trusted, behind(environment));
  const peer = await streamable1(recorder.url);
  expect(await call(peer, 'add', { a: 1, b: 2 })).toMatchObject({ content: [{ text: '3' }] });
  await peer.close();
  const { status, stderr } = await recorder.stop();
  expect(status).toBe(0);
  expect(stderr).toMatch(/, by the proxy http:\/\/127\.0\.0\.1:\d+$/m);
  expect(readFileSync(cassette, 'utf8') + stderr).not.toMatch(/planted|proxy-auth/i);
  const target = scheme === 'https' ? `CONNECT ${NAME}:${port}` : expect.stringMatching(`^[A-Z]+ ${url.href}$`);
  expect(proxy.asked).toEqual(proxy.asked.map(() => target));
  expect(proxy.asked).not.toEqual([]);

  const before = proxy.asked.length;
  const verified = await run(behind(environment)(mcpRecord('verify', cassette, '--http', url.href, ...trusted)));
  expect(verified.stdout.toString() + verified.stderr).not.toMatch(/planted/);
  expect(verified.status).toBe(0);
  expect(proxy.asked.length).toBeGreaterThan(before);
}

describe('a server beyond a web proxy', () => {
  it('is recorded and verified over http by HTTP_PROXY', () => recordedAndVerified('http'));

  itOnPosix('openssl', 'is recorded and verified over https by HTTPS_PROXY', () => recordedAndVerified('https'));

  itOnPosix('openssl', 'hears all of a request that comes before there is a way to it', async () => {
    await using far = await server('plain.js');
    using proxy = await webProxy();
    using tls = await secured(Number(far.url.port), folder);
    const url = new URL(`https://${NAME}:${tls.port}/mcp`);
    const options = ['--ca', tls.ca, behind({ HTTPS_PROXY: proxy.url })] as const;
    await using recorder = await record(url, join(folder, 'long.yaml'), ...options);
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const said = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const headers = {
      'content-type': 'application/json',
      'content-length': said.length,
      accept: 'application/json, text/event-stream',
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asking = request(recorder.url, { method: 'POST', headers }, resolve).on('error', reject);
      asking.write(said.slice(0, 10), () => asking.end(said.slice(10)));
    });
    expect([answer.statusCode, await text(answer)]).toEqual([200, expect.stringContaining('2025-11-25')]);
    expect((await recorder.stop()).status).toBe(0);
  });

  it.each([
    ['refuses', 'http://user:wrong@', /the proxy http:\/\/127\.0\.0\.1:\d+ answered 407 Proxy Authentication/],
    ['is not there', undefined, /ECONNREFUSED 127\.0\.0\.1:1\b/],
  ])('is answered for with 502 where the proxy %s', async (_what, credentials, why) => {
    using proxy = await webProxy();
    const url = credentials ? proxy.url.replace(/^http:\/\/.*@/, credentials) : 'http://127.0.0.1:1';
    await using recorder = await record(
      new URL(`https://${NAME}/mcp`),
      join(folder, 'refused.yaml'),
      behind({ HTTPS_PROXY: url }),
    );
    const answer = await post(recorder.url);
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringMatching(why)]);
    expect((await recorder.stop()).stderr).toMatch(why);
  });

  it('is reached straight where NO_PROXY names it, or where it is on this machine', async () => {
    await using far = await server('plain.js');
    using proxy = await webProxy();
    const environment = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    await using local = await record(far.url, join(folder, 'local.yaml'), behind(environment));
    expect((await fetch(new URL('/count', local.url))).status).toBe(200);
    await using excepted = await record(
      new URL(`http://0.0.0.0:${far.url.port}/mcp`),
      join(folder, 'excepted.yaml'),
      behind({ ...environment, NO_PROXY: '0.0.0.0' }),
    );
    expect((await fetch(new URL('/count', excepted.url))).status).toBe(200);
    expect(proxy.asked).toEqual([]);
  });
});
