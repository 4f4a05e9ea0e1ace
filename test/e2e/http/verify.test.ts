import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { record, server } from './processes.ts';
import { failures, outcomeOf, verify } from './verification.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-verify-http-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const root = join(import.meta.dirname, '..', '..', '..');

describe('a batch of 2025-03-26 (§2, "Batch")', () => {
  it.each(['json', 'sse'])('is in the cassette as one, and verified as one: %s', async (form) => {
    await using far = await server('sdk-1.js', form);
    const file = join(mkdtempSync(join(folder, 'cassette-')), 'cassette.yaml');
    await using recorder = await record(far.url, file);
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const post = async (body: unknown) => {
      const answer = await fetch(recorder.url, { method: 'POST', headers, body: JSON.stringify(body) });
      return {
        status: answer.status,
        session: answer.headers.get('mcp-session-id'),
        text: await answer.text(),
      };
    };
    const clientInfo = { name: 'batches', version: '1' };
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
    const { session } = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    headers['Mcp-Session-Id'] = session ?? '';
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const add = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'add', arguments: { a: id, b: 1 } },
    });
    const { status, text } = await post([add(1), { jsonrpc: '2.0', method: 'notifications/odd' }, add(2)]);
    expect([status, text.match(/"text":"\d"/g)?.sort()]).toEqual([200, ['"text":"2"', '"text":"3"']]);
    await recorder.stop();

    const { events } = loadCassette(file);
    const said = events.flatMap(({ frame }) => (frame.kind === 'message' ? [frame] : []));
    const [batch, ...answers] = said.slice(3);
    expect(batch?.json.value).toMatchObject([add(1), { method: 'notifications/odd' }, add(2)]);
    expect(answers.map(({ json }) => Array.isArray(json.value))).toEqual(form === 'json' ? [true] : [false, false]);

    await using before = await record(far.url, join(folder, `batch-${form}.yaml`));
    const outcome = await outcomeOf(file, '--http', before.url.href);
    expect(failures(outcome)).toEqual([]);
    expect(outcome.steps.map(({ title }) => title)).toEqual(['initialize', 'tools/call "add"', 'tools/call "add"']);
    await before.stop();
    const again = loadCassette(join(folder, `batch-${form}.yaml`)).events;
    expect(again.some(({ frame }) => frame.kind === 'message' && Array.isArray(frame.json.value))).toBe(true);
  });
});

describe('a subscription of 2026-07-28, and a call beside it', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const notifications = { toolsListChanged: true };
  const listen = { id: 'listen:0', method: 'subscriptions/listen', params: { notifications, _meta } };
  const acknowledged = {
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen:0' } },
  };
  const add = { id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 }, _meta } };
  const sum = {
    id: 1,
    result: {
      content: [{ type: 'text', text: '3' }],
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern-server', version: '1.0.0' } },
    },
  };
  const event = (side: string, json: object, stream: number) =>
    `- ${side}: ${JSON.stringify({ jsonrpc: '2.0', ...json })}\n  stream: ${stream}\n`;
  const events =
    event('client', listen, 1) +
    event('server', acknowledged, 1).concat('  sse: {}\n') +
    event('client', add, 2) +
    event('server', sum, 2);
  let cassette: string;
  beforeAll(() => {
    cassette = join(folder, 'listen.yaml');
    writeFileSync(cassette, `format: mcp-record/1\ntransport: http\nevents:\n${events}- close: client\n  stream: 1\n`);
  });

  it('is left when the cassette leaves it, over HTTP', async () => {
    await using far = await server('modern.js');
    expect((await verify(cassette, far.url)).text).toMatch(/\n2 passed in/);
  });

  it('is cancelled when the cassette leaves it, over stdio', async () => {
    const modern = join(root, 'test', 'e2e', 'servers', 'modern.js');
    const outcome = await outcomeOf(cassette, '--', process.execPath, modern);
    expect(outcome).toMatchObject({ notes: [], steps: [{ status: 'passed' }, { status: 'passed' }] });
  });
});

describe.concurrent('a server that breaks', () => {
  const message = (side: string, json: object) => `- ${side}: ${JSON.stringify({ jsonrpc: '2.0', ...json })}\n`;
  const called = (id: number, name: string) =>
    message('client', { id, method: 'tools/call', params: { name } }) +
    message('server', { id, result: { content: [{ type: 'text', text: name }] } });
  const text = `format: mcp-record/1
transport: stdio
events:
${message('client', { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } })}${message('server', {
  id: 0,
  result: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'breaks', version: '1' },
  },
})}${message('client', { method: 'notifications/initialized' })}${called(1, 'first')}${called(2, 'second')}`;
  let cassette: string;
  beforeAll(() => {
    cassette = join(folder, 'breaks.yaml');
    writeFileSync(cassette, text);
  });

  const FIRST = '✗ tools/call "first": ';
  it.each([
    ['page', 'HTTP 200 with text/html and no message: "<h1>Hello</h1>", instead of an answer', 'HTTP_NOT_MCP'],
    ['other-type', 'HTTP 200 with text/plain and no message: "{', 'HTTP_NOT_MCP'],
    ['no-json', 'HTTP 200 with application/json and no message: "{\\"jsonrpc\\":"', 'HTTP_NOT_MCP'],
    ['no-event', 'the answer ended before there was a message, instead of an answer', 'HTTP_ANSWER_CUT'],
    ['cut', 'the connection was closed before there was a message', 'HTTP_ANSWER_CUT'],
    ['cut-stream', 'the connection was closed before there was a message', 'HTTP_ANSWER_CUT'],
    ['refuses', 'HTTP 500 Internal Server Error: "out of order", instead of an answer', 'HTTP_REFUSED'],
    ['unauthorized', 'HTTP 401 Unauthorized, instead of an answer', "--header 'Authorization: Bearer …'"],
    ['elsewhere', 'HTTP 307 Temporary Redirect to https://example.com/mcp', 'HTTP_REFUSED'],
    ['forgets', 'HTTP 404 Not Found: error -32001 "Session not found"', 'HTTP_NOT_FOUND'],
    ['hangs', 'hung: no answer came in time', ''],
    ['hangs-on', 'hung: no answer came in time', ''],
  ])('%s: is told in words, with what to do, and what comes after is checked', async (how, words, says) => {
    await using far = await server('breaks.js', how);
    const { text: out, status } = await verify(cassette, far.url, '--timeout', '5000');
    expect(out).toContain(FIRST + words);
    expect(out).toContain(says);
    expect(out).toContain('✓ tools/call "second"');
    expect(status).toBe(1);
  });

  it('names an event that is no message', async () => {
    await using far = await server('breaks.js', 'no-event');
    const { text: out } = await verify(cassette, far.url);
    expect(out).toContain('✗ event streams: 1 event that is no message: "{\\"jsonrpc\\":"');
  });

  it('does not wait for one that has died', async () => {
    await using far = await server('breaks.js', 'dies');
    const { text: out, status } = await verify(cassette, far.url);
    expect(out).toContain(`${FIRST}the connection was`);
    expect(out).toContain('✗ tools/call "second": ');
    expect(out).not.toContain('hung');
    expect(status).toBe(1);
  });

  it('writes no refusal to a cassette', async () => {
    await using far = await server('breaks.js', 'refuses');
    const { stderr, status } = await verify(cassette, far.url, '--update');
    expect(stderr).toContain('[CASSETTE_NOT_UPDATED]');
    expect(stderr).toContain('HTTP 500 Internal Server Error');
    expect(status).toBe(2);
    expect(readFileSync(cassette, 'utf8')).toBe(text);
  });

  it('cannot check one that is not there, or that is none', async () => {
    const far = await server('breaks.js');
    await far.stop();
    const { text: out, stderr, status } = await verify(cassette, far.url);
    expect([out, status]).toEqual(['', 2]);
    expect(stderr).toContain('[HTTP_UPSTREAM_UNREACHABLE]');
    const mail = await verify(cassette, new URL('mailto:nobody@example.com'));
    expect(mail).toMatchObject({ status: 2, stderr: expect.stringContaining('[USAGE_BAD_URL]') });
  });

  it('takes one server, and headers that are headers', async () => {
    await using far = await server('breaks.js');
    const bad = await verify(cassette, far.url, '--header', 'no header');
    expect(bad).toMatchObject({ status: 2, stderr: expect.stringContaining('[USAGE_BAD_HEADER]') });
    const two = await verify(cassette, far.url, '--', 'node');
    expect(two).toMatchObject({ status: 2, stderr: expect.stringContaining('[USAGE_ONE_SERVER]') });
    const good = await verify(cassette, far.url, '--header', 'Authorization: Bearer x', '--header', 'X-Empty:');
    expect(good.status).toBe(0);
  });
});
