import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { openLiveEndpoint } from '../../../src/adapters/endpoint/forward-or-record-endpoint.ts';
import { compareServer } from '../../../src/adapters/test/verify-server.ts';
import { openSession } from '../../../src/modes/open-session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { run } from '../../support/process.ts';
import { record } from './processes.ts';

/** No known form, and too few changes of letters and digits to look random. */
const VALUE = 'q7Wd-zzRt-91xK';
const NAME = 'x-acme';
const folder = temporaryFolder();
const rulesFile = join(folder, 'redaction.yaml');
writeFileSync(rulesFile, `redact:\n- key: X-ACME\n`);

/** A server without state that repeats a header of its request in each answer. */
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { id, method } = (body === '' ? {} : JSON.parse(body)) as { id?: unknown; method?: string };
    if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const text = `key ${String(request.headers[NAME])} is yours`;
    const opened = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    };
    const result = method === 'initialize' ? { ...opened, instructions: text } : { content: [{ type: 'text', text }] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(() => void server.close());

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } };
const bridge = (to: string, file: string, ...options: string[]) =>
  mcpRecord('record', '--http', to, '--stdio', '-o', file, ...options);
const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

async function post(to: string | URL, message: object, headers: Record<string, string> = {}): Promise<void> {
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const response = await fetch(to, {
    method: 'POST',
    headers: { ...accept, ...headers },
    body: JSON.stringify(message),
  });
  await response.text();
}

/** Expects that a cassette, and what was printed beside it, have the placeholder and never the value. */
function expectRedacted(name: string, printed = ''): void {
  const files = readdirSync(folder).filter((file) => file.startsWith(name));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(text).toContain('key [redacted:x-acme:1] is yours');
  expect(text + printed).not.toContain(VALUE);
}

it('reaches the header of a client that a proxy records', async () => {
  await using recorder = await record(new URL(url), join(folder, 'proxy.yaml'), '--redact-key', 'X-Acme');
  await post(recorder.url, INITIALIZE, { [NAME]: VALUE });
  await post(recorder.url, CALL, { [NAME]: VALUE });
  const { stderr } = await recorder.stop();
  expectRedacted('proxy', stderr.toString());
});

it('reaches a header that a proxy adds', async () => {
  const given = ['--header', `X-Acme: ${VALUE}`, '--redact-rules', rulesFile];
  await using recorder = await record(new URL(url), join(folder, 'given.yaml'), ...given);
  await post(recorder.url, INITIALIZE);
  const { stderr } = await recorder.stop();
  expectRedacted('given', stderr.toString());
});

it('reaches a header of record --http --stdio', async () => {
  const file = join(folder, 'bridge.yaml');
  const words = bridge(url, file, '--header', `X-Acme: ${VALUE}`, '--redact-key', NAME);
  const { stderr, stdout } = await run(words, lines(INITIALIZE, INITIALIZED, CALL));
  expect(stdout.toString()).toContain(`key ${VALUE} is yours`);
  expectRedacted('bridge', stderr.toString());
});

it('reaches a header of fork, and of verify, whose output does not have the value', async () => {
  const file = join(folder, 'old.yaml');
  await run(bridge(url, file, '--header', 'X-Acme: another'), lines(INITIALIZE, INITIALIZED));
  const given = ['--http', url, '--header', `X-Acme: ${VALUE}`, '--redact-key', NAME];
  for (const format of [[], ['--json'], ['--propose-ignores']]) {
    const { stdout, stderr, status } = await run(mcpRecord('verify', ...format, ...given, file));
    expect(status).toBe(1);
    expect(stdout.toString()).toContain('[redacted:x-acme:1]');
    expect(stdout.toString() + stderr).not.toContain(VALUE);
  }
  const forkFile = join(folder, 'forked.yaml');
  const at =
    readFileSync(file, 'utf8')
      .split('\n')
      .findIndex((line) => line.includes('instructions')) + 1;
  const onDifference = ['--on-difference', 'report'];
  const words = mcpRecord('fork', '-o', forkFile, ...given, ...onDifference, `${file}:${at}`);
  const { stderr } = await run(words, lines(INITIALIZE, INITIALIZED, CALL));
  expectRedacted('forked', stderr.toString());
});

it('reaches a header in the options of a session', async () => {
  const cassette = join(folder, 'session.yaml');
  const redact = { rules: [{ key: /acme/i, name: NAME }] };
  const session = await openSession({ cassette, server: { url, headers: { 'X-Acme': VALUE } }, env: {}, redact });
  const answered = new Promise<void>((resolve) =>
    session.channel.listen(({ from }) => void (from === 'server' && resolve())),
  );
  const { JsonText } = await import('../../../src/protocol/json-text.ts');
  session.channel.send({ kind: 'message', at: 0, from: 'client', json: new JsonText(JSON.stringify(INITIALIZE)) });
  await answered;
  await session.finish({ passed: true });
  expectRedacted('session');
});

it('reaches the header of a client that MSW or nock records', async () => {
  const cassette = join(folder, 'endpoint.yaml');
  const redact = { rules: [{ key: NAME }] };
  const endpoint = openLiveEndpoint({ url, cassette, mode: 'record', send: fetch, redact });
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', [NAME]: VALUE };
  const response = await endpoint.fetch(
    new Request(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) }),
  );
  await response.text();
  endpoint.finish();
  expectRedacted('endpoint');
});

it('reaches a header of a server under test, by the rules of the project', async () => {
  const file = join(folder, 'tested.yaml');
  await run(bridge(url, file, '--header', 'X-Acme: another'), lines(INITIALIZE, INITIALIZED));
  vi.stubEnv('MCP_RECORD_REDACT_RULES', rulesFile);
  onTestFinished(() => void vi.unstubAllEnvs());
  const outcome = await compareServer(file, { url, headers: { [NAME]: VALUE } });
  expect(JSON.stringify(outcome)).toContain('[redacted:x-acme:1]');
  expect(JSON.stringify(outcome)).not.toContain(VALUE);
});

itOnPosix('shell', 'a value of a variable or a command needs no rule, however plain it is', async () => {
  for (const [name, given] of [
    ['variable', 'env:TEAM'],
    ['command', 'cmd:printf blueberry'],
  ] as const) {
    const file = join(folder, `${name}.yaml`);
    const words = bridge(url, file, '--header', `X-Acme: ${given}`);
    const { stderr, stdout } = await run({ ...words, env: { ...process.env, TEAM: 'blueberry' } }, lines(INITIALIZE));
    expect(stdout.toString()).toContain('key blueberry is yours');
    expectRedacted(name, stderr.toString());
    expect(readFileSync(file, 'utf8')).not.toContain('blueberry');
    expect(stderr.toString()).not.toContain('HEADER_NOT_REDACTED');
  }
});

itOnPosix(
  'shell',
  'a value that is too short to be replaced in all texts is named before the first message',
  async () => {
    const words = bridge(url, join(folder, 'short.yaml'), '--header', 'X-Acme: cmd:printf q7W');
    const { stderr } = await run(words, lines(INITIALIZE));
    expect(stderr.toString()).toMatch(/"x-acme" is too short.*\[HEADER_NOT_REDACTED\]/);
  },
);
