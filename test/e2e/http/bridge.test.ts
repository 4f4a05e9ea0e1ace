import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, mcpRecord, replayed } from '../../support/command.ts';
import { Running, run } from '../../support/process.ts';
import { runSession } from '../session/run.ts';
import { connectSdk1 } from '../session/sdk-1.ts';
import { call, type Step } from '../session/steps.ts';
import { CREDENTIAL, streamable1 } from './clients.ts';
import { outcomes } from './outcomes.ts';
import { record, server } from './processes.ts';
import { inOnePiece } from './server-in-one-piece.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-bridge-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const bridge = (url: URL | string, file: string, ...options: string[]): Command =>
  mcpRecord('record', '--stdio', '--http', String(url), '-o', file, ...options);

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
})}\n`;

/** A server that answers every request alike, and keeps what it was sent. */
async function answering(status: number, body = '') {
  const asked: Record<string, unknown>[] = [];
  const http = createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return { url, asked, [Symbol.asyncDispose]: async () => void http.close() };
}

describe('what is no answer', () => {
  it.each([401, 404, 500])('becomes an error that says HTTP %i', async (status) => {
    await using far = await answering(status, 'no');
    const { stdout } = await run(bridge(far.url, join(folder, `${status}.yaml`)), INITIALIZE);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      id: 'first',
      error: { code: -32000, message: expect.stringContaining(`HTTP ${status}`) },
    });
  });

  it('is the same error where what was recorded over HTTP is replayed over stdio', async () => {
    const all: Step[] = ['first', 'second'].map((name) => ({ name, run: (peer) => call(peer, name) }));
    const file = join(folder, 'refused.yaml');
    await using far = await server('breaks.js', 'refuses');
    const bridged = await runSession(await connectSdk1(bridge(far.url, join(folder, 'bridged.yaml'))), all);
    await using recorder = await record(far.url, file);
    await runSession(await streamable1(recorder.url), all);
    await recorder.stop();
    const again = await runSession(await connectSdk1(replayed(file)), all);
    expect(outcomes(again)).toEqual(outcomes(bridged));
    expect(JSON.stringify(again[0])).toContain('The server answered HTTP 500 Internal Server Error');
  });

  it('at all, because nobody is there, is an error of ours', async () => {
    const { url } = await (async () => {
      await using gone = await answering(200);
      return { url: gone.url };
    })();
    const { stderr, status } = await run(bridge(url, join(folder, 'none.yaml')), INITIALIZE);
    expect(stderr).toMatch(/mcp-record: .*\[HTTP_\w+\]/);
    expect(status).not.toBe(0);
  });
});

it('lets a client over stdio see progress that came in one piece with its answer', async () => {
  await using far = await inOnePiece();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport(bridge(far.url, join(folder, 'piece.yaml'))));
  const seen: number[] = [];
  const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
  await client.callTool({ name: 'add' }, undefined, { onprogress });
  await client.close();
  expect(seen).toEqual([1, 2]);
});

it('sends the headers it is given, from the environment too, and keeps no credential', async () => {
  await using far = await answering(401);
  const file = join(folder, 'header.yaml');
  const { command, args } = bridge(far.url, file, '--header', 'Authorization: Bearer env:PLANTED_TOKEN');
  await run({ command, args, env: { PLANTED_TOKEN: CREDENTIAL } }, INITIALIZE);
  expect(far.asked[0]).toMatchObject({ authorization: `Bearer ${CREDENTIAL}` });
  expect(readFileSync(file, 'utf8')).not.toContain(CREDENTIAL);
});

it('redacts a credential without a known form that the server repeats in its answer', async () => {
  const http = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const text = `you are ${String(request.headers.authorization?.slice('Bearer '.length))}`;
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 'first', result: { content: [{ type: 'text', text }] } }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const file = join(folder, 'repeated.yaml');
  const { stdout } = await run(bridge(url, file, '--header', `Authorization: Bearer ${CREDENTIAL}`), INITIALIZE);
  http.close();
  expect(stdout.toString()).toContain(`you are ${CREDENTIAL}`);
  expect(readFileSync(file, 'utf8')).toContain('you are [redacted:');
  expect(readFileSync(file, 'utf8')).not.toContain(CREDENTIAL);
});

it('gives a client without credentials some, through a reverse proxy too, and keeps none', async () => {
  await using far = await answering(401);
  const file = join(folder, 'proxy.yaml');
  process.env.PLANTED_TOKEN = CREDENTIAL;
  await using recorder = await record(new URL(far.url), file, '--header', 'Authorization: Bearer env:PLANTED_TOKEN');
  delete process.env.PLANTED_TOKEN;
  await fetch(recorder.url, {
    method: 'POST',
    body: INITIALIZE,
    headers: { authorization: 'Bearer theirs' },
  });
  await recorder.stop();
  expect(far.asked).toMatchObject([{ authorization: `Bearer ${CREDENTIAL}` }]);
  const cassettes = readdirSync(folder).filter((name) => name.startsWith('proxy'));
  expect(cassettes.length).toBeGreaterThan(0);
  for (const name of cassettes) expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/planted|theirs/);
});

it('refuses a header whose variable is not set, before anything starts', async () => {
  const { stderr, status } = await run(
    bridge('http://127.0.0.1:9/mcp', join(folder, 'x.yaml'), '--header', 'A: env:NO_SUCH_VARIABLE'),
  );
  expect([stderr, status]).toEqual([expect.stringMatching(/NO_SUCH_VARIABLE is not set.*\[USAGE_BAD_HEADER\]/s), 2]);
});

it('ends when it is told to', async () => {
  await using far = await server('modern.js');
  await using running = new Running(bridge(far.url, join(folder, 'signal.yaml')));
  running.child.stdin.write(INITIALIZE);
  await running.line();
  running.signal('SIGTERM');
  expect((await running.read().ended).status).toBe(0);
});
