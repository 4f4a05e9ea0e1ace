import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { record } from './processes.ts';

const folder = temporaryFolder();
const file = join(folder, 'refused.yaml');
const HEADER = ['--header', 'Authorization: Bearer wrong-credential-1'];

/** What this server uses of the response of Express, whose types are not installed. */
interface ExpressResponse {
  status(code: number): { end(): void };
  json(body: object): void;
}

/** A server whose check of the token is that of the official SDK, or that has none. */
async function shop({ why = 'unknown token', isChecked = true } = {}) {
  const app = createMcpExpressApp();
  const verifier = {
    verifyAccessToken: async () => {
      throw new InvalidTokenError(why);
    },
  };
  if (isChecked) app.use(requireBearerAuth({ verifier }));
  const opened = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  app.post('/mcp', (request: { body: { id?: unknown } }, response: ExpressResponse) => {
    const { id } = request.body;
    if (id === undefined) response.status(202).end();
    else response.json({ jsonrpc: '2.0', id, result: opened });
  });
  const http = createServer(app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  return { url, [Symbol.asyncDispose]: async () => void http.closeAllConnections() };
}

async function connect(url: URL): Promise<unknown> {
  const requestInit = { headers: { authorization: 'Bearer wrong-credential-1' } };
  const client = new Client({ name: 'c', version: '1' });
  return client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never).catch((error) => error);
}

async function output(...words: string[]) {
  const { stdout, stderr, status } = await run(mcpRecord(...words));
  return { status, text: stdout.toString() + stderr };
}

beforeAll(async () => {
  await using far = await shop();
  await using recorder = await record(far.url, file);
  expect(String(await connect(recorder.url))).toContain('invalid_token');
  await recorder.stop();
});

describe('a session that the server of the official SDK refuses with 401', () => {
  it('is recorded as an HTTP response, and no rule of JSON-RPC accuses it', async () => {
    expect(loadCassette(file).events[1]!.frame).toMatchObject({
      kind: 'http-response',
      status: 401,
      headers: { 'www-authenticate': expect.stringContaining('invalid_token') },
      body: '{"error":"invalid_token","error_description":"unknown token"}',
    });
    expect(await output('lint', file)).toMatchObject({ status: 0 });
    const { text } = await output('show', file);
    expect(text).toContain('401');
    expect(text).toContain('invalid_token');
    expect(text).not.toContain('not JSON-RPC');
  });

  it('is replayed with its status and body', async () => {
    const { mockServer } = await import('../../../src/adapters/mock-server/mock-server.ts');
    await using mock = await mockServer(file, { over: 'http', onUnused: 'report' });
    expect(String(await connect(new URL(mock.url)))).toContain('invalid_token');
  });

  it('passes as long as the server refuses it in the same way', async () => {
    await using far = await shop();
    const { status, text } = await output('verify', '--http', far.url.href, ...HEADER, file);
    expect([status, text]).toEqual([0, expect.stringContaining('1 passed')]);
  });

  it('fails if the check of the token was removed', async () => {
    await using far = await shop({ isChecked: false });
    const { status, text } = await output('verify', '--http', far.url.href, ...HEADER, file);
    expect(status).toBe(1);
    expect(text).toContain('answered, where the cassette has no answer but HTTP 401 Unauthorized');
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('-32000');
  });

  it('fails if the body differs, unless that is ignored', async () => {
    await using far = await shop({ why: 'Token has expired' });
    const verify = ['verify', '--http', far.url.href, ...HEADER];
    const { status, text } = await output(...verify, file);
    expect([status, text]).toEqual([1, expect.stringContaining('HTTP 401 with another body')]);
    expect(text).toContain('Token has expired');
    expect(text).not.toContain('--update');
    expect(await output(...verify, '--ignore', '/error_description', file)).toMatchObject({ status: 0 });
  });
});

it('is accused of its shape if it comes as success', async () => {
  const success = join(folder, 'success.yaml');
  const text = readFileSync(file, 'utf8');
  const event = '- server:\n    error: invalid_token\n  stream: 1\n- end: complete\n';
  writeFileSync(success, text.slice(0, text.indexOf('- response: 401')) + event);
  const { status, text: said } = await output('lint', success);
  expect(status).toBe(1);
  expect(said).toContain('"jsonrpc" is missing');
});
