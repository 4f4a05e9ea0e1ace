import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compareServer } from '../../../src/adapters/test/verify-server.ts';
import { openSession } from '../../../src/modes/open-session.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { failedSteps } from '../../../src/text-report/outcome-model.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { record } from './processes.ts';

const [TOKEN, ANOTHER] = ['parcelOpaque55Xyz789Qq', 'someoneElses77Abc123Rr'];
const basic = (password: string) => `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
const folder = temporaryFolder();

/** Whether the server repeats the credential of another user. */
let isConfused = false;

/** A server without state that repeats the credential of its request in each answer. */
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { id, method } = (body === '' ? {} : JSON.parse(body)) as { id?: unknown; method?: string };
    const { authorization = '' } = request.headers;
    if (authorization === '') return void response.writeHead(401).end();
    if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const said = isConfused
      ? authorization.replace(TOKEN, ANOTHER).replace(basic(TOKEN), basic(ANOTHER))
      : authorization;
    const opened = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    };
    const password = isConfused ? ANOTHER : TOKEN;
    const encoded = Buffer.from(`the words that you said are ${password}, as it is`).toString('base64');
    const content = [`you are ${said}`, `your password=${password}`, encoded].map((text) => ({ type: 'text', text }));
    const result = method === 'initialize' ? opened : { content };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});
let url: string;

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } };
const lines = [INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' }, CALL];

/** Cassettes of a client with a header, of a test that sends it, and of one that knows it by a variable or has a password. */
const ofClient = join(folder, 'client.yaml');
const ofTest = join(folder, 'test.yaml');
const ofVariable = join(folder, 'variable.yaml');
const ofPassword = join(folder, 'password.yaml');

/** Records a test whose session sends a header. */
async function recordTest(cassette: string, authorization: string): Promise<void> {
  const session = await openSession({ cassette, server: { url, headers: { authorization } }, env: {} });
  const answers: (() => void)[] = [];
  session.channel.listen(({ from, kind }) => void (from === 'server' && kind === 'message' && answers.shift()?.()));
  for (const message of lines) {
    const answered = 'id' in message && new Promise<void>((resolve) => answers.push(resolve));
    session.channel.send({ kind: 'message', at: 0, from: 'client', json: new JsonText(JSON.stringify(message)) });
    await answered;
  }
  await session.finish({ passed: true });
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  await using recorder = await record(new URL(url), ofClient);
  for (const message of lines) {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${TOKEN}`,
    };
    await (await fetch(recorder.url, { method: 'POST', headers, body: JSON.stringify(message) })).text();
  }
  await recorder.stop();
  await recordTest(ofTest, `Bearer ${TOKEN}`);
  await recordTest(ofPassword, basic(TOKEN));
  vi.stubEnv('AUTHORIZATION', TOKEN);
  await recordTest(ofVariable, `Bearer ${TOKEN}`);
  vi.unstubAllEnvs();
});
afterAll(() => void server.close());

describe('verify of a server that repeats the credential', () => {
  it.each([
    ['a literal', `Authorization: Bearer ${TOKEN}`, {}, ofClient],
    ['a variable in upper case', 'Authorization: Bearer env:AUTHORIZATION', { AUTHORIZATION: TOKEN }, ofClient],
    ['a variable in lower case', 'authorization: Bearer env:authorization', { authorization: TOKEN }, ofVariable],
    ['a variable with another name', 'AUTHORIZATION: Bearer env:PARCEL_TOKEN', { PARCEL_TOKEN: TOKEN }, ofTest],
    ['a command', `Authorization: Bearer cmd:printf ${TOKEN}`, {}, ofVariable],
  ])('of %s fails where it is that of another user', async (_, header, env, file) => {
    const verify = () => run({ ...mcpRecord('verify', '--http', url, '--header', header, file), env });
    isConfused = false;
    const green = await verify();
    expect([green.status, green.stdout.toString()]).toEqual([0, expect.stringContaining('2 passed')]);
    isConfused = true;
    const { status, stdout } = await verify();
    expect(status).toBe(1);
    expect(stdout.toString()).toMatch(/The server said another secret at \/result\/content\/0\/text/);
    expect(stdout.toString()).not.toMatch(/propose-ignores|someoneElses|parcelOpaque/);
  });
});

describe('a test of a server that repeats the credential', () => {
  it.each([
    ['Authorization', `Bearer ${TOKEN}`, () => ofClient],
    ['authorization', `Bearer ${TOKEN}`, () => ofTest],
    ['AUTHORIZATION', `Bearer ${TOKEN}`, () => ofVariable],
    ['authorization', basic(TOKEN), () => ofPassword],
  ])('%s: %s fails where it is that of another user', async (name, value, file) => {
    isConfused = false;
    const same = await compareServer(file(), { url, headers: { [name]: value } });
    expect(failedSteps(same)).toEqual([]);
    isConfused = true;
    const failed = failedSteps(await compareServer(file(), { url, headers: { [name]: value } }));
    expect(failed).toHaveLength(1);
    // Each of the three texts differs: also the password of Basic credentials, and encoded text.
    expect(JSON.stringify(failed[0]!.live).split('redacted:another-secret:1')).toHaveLength(4);
    expect(JSON.stringify(failed)).not.toContain(ANOTHER);
  });
});
