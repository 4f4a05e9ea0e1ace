import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { AuthorizationRecorder } from '../../../src/record/authorization/authorization-recorder.ts';
import { HttpRecorder } from '../../../src/record/http/http-traffic-recorder.ts';
import { ProxiedEndpoints } from '../../../src/record/http/proxied-endpoints.ts';
import { BodyMemory } from '../../../src/transports/http/http1/body-memory.ts';
import type { HttpTrafficEvent } from '../../../src/transports/http/proxy/http-traffic.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const JSON_TYPE = ['Content-Type', 'application/json', 'Accept', 'application/json, text/event-stream'];
const STREAM = ['Content-Type', 'text/event-stream'];
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

interface Exchange {
  method?: string;
  path?: string;
  origin?: string;
  endpoint?: string;
  headers?: string[];
  body?: unknown;
  status?: number;
  answer?: string;
  answerHeaders?: string[];
}

/** The endpoints of hosts, and exchanges as a test tells them. */
function proxied({ holdBytesMax = 1e6, keeps = false } = {}) {
  const folder = temporaryFolder();
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const authorization = keeps ? new AuthorizationRecorder({ holdBytesMax, cut: () => {}, failed }) : undefined;
  const memory = new BodyMemory(holdBytesMax);
  const endpoints = new ProxiedEndpoints({
    holdBytesMax,
    memory,
    other: authorization && ((origin) => authorization.exchange(origin)),
    recorder: (upstream) =>
      new HttpRecorder({
        open: () => new CassetteFile(join(folder, `${upstream.hostname}.yaml`)),
        clock: new ManualClock(),
        gap: 'none',
        redactor: undefined,
        authorization,
        failed: (error) => failures.push(error),
        upstream,
        idleMax: 1000,
        holdBytesMax,
        memory,
        cut: () => {},
      }),
  });
  const exchange = ({
    method = 'POST',
    path = '/mcp',
    origin = 'https://far.example',
    endpoint,
    headers = JSON_TYPE,
    body = LIST,
    status = 200,
    answer = '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
    answerHeaders = JSON_TYPE,
  }: Exchange) => {
    const take = endpoints.exchange({ upstream: parseUpstream(origin), ...(endpoint !== undefined && { endpoint }) });
    const pieces: HttpTrafficEvent[] = [{ kind: 'request', at: 0, method, path, headers }];
    const data = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    // In two pieces, as a socket may bring them.
    if (method === 'POST')
      for (const part of [data.subarray(0, 9), data.subarray(9)])
        pieces.push({ kind: 'data', at: 0, from: 'client', data: part });
    pieces.push({ kind: 'end', at: 0, from: 'client' });
    pieces.push({ kind: 'response', at: 0, status, headers: answerHeaders });
    pieces.push({ kind: 'data', at: 0, from: 'server', data: Buffer.from(answer.slice(0, 5)) });
    pieces.push({ kind: 'data', at: 0, from: 'server', data: Buffer.from(answer.slice(5)) });
    pieces.push({ kind: 'end', at: 0, from: 'server' });
    for (const piece of pieces) take(piece);
  };
  return {
    memory,
    endpoints,
    exchange,
    failures,
    /** The cassettes by name, after the end. */
    cassettes(): Record<string, string> {
      endpoints.end('complete');
      const names = readdirSync(folder).sort();
      return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    },
  };
}

describe('an endpoint behind a forward proxy', () => {
  it('is where a client posts a JSON-RPC message, and is recorded from that message on', () => {
    const line = proxied();
    line.exchange({ method: 'GET', path: '/.well-known/oauth-protected-resource', headers: [] });
    expect(line.endpoints.isEmpty).toBe(true);
    line.exchange({ path: '/v1/mcp?key=1' });
    line.exchange({
      method: 'GET',
      path: '/v1/mcp',
      status: 405,
      answer: 'no stream',
      headers: ['Accept', 'text/event-stream'],
    });
    expect(line.endpoints.isEmpty).toBe(false);
    const cassettes = line.cassettes();
    expect(Object.keys(cassettes)).toEqual(['far.example.yaml']);
    expect(cassettes['far.example.yaml']).toContain('url: https://far.example/v1/mcp\n');
    expect(cassettes['far.example.yaml']).toMatch(/method: tools\/list[\s\S]*tools: \[\][\s\S]*open: GET[\s\S]*405/);
    expect(line.failures).toEqual([]);
  });

  it('has the authorization flow with other hosts in its cassette, if that is kept', () => {
    const line = proxied({ keeps: true });
    const form = ['Content-Type', 'application/x-www-form-urlencoded'];
    const token = { origin: 'https://auth.example', path: '/token', headers: form, body: 'grant_type=a&code=planted' };
    line.exchange({ status: 401, answer: '', answerHeaders: ['WWW-Authenticate', 'Bearer'] });
    line.exchange({ ...token, answer: '{"access_token":"planted"}' });
    line.exchange({});
    const { 'far.example.yaml': text = '' } = line.cassettes();
    expect(text.match(/request: .*/g)).toEqual(['request: mcp', 'request: oauth/token']);
    expect(text).toContain('url: https://auth.example/token');
    expect(text).not.toContain('planted');
    expect(line.failures).toEqual([]);
  });

  it.each([
    ['a batch', [LIST]],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['a message whose version comes last', '{"method":"ping","id":1,"jsonrpc":"2.0"}'],
  ])('is found by %s', (_what, body) => {
    const line = proxied();
    line.exchange({ body });
    expect(line.endpoints.isEmpty).toBe(false);
  });

  it.each([
    ['at once', ''],
    ['after comments', ': one\n: two\r\n\n'],
    ['after a time to reconnect and an id', 'retry: 3000\n\nid: 1\n'],
    ['after blank lines', '\n'.repeat(40)],
  ])('is found by a stream whose endpoint event comes %s', (_when, before) => {
    const line = proxied();
    const answer = `${before}event: endpoint\ndata: /message?sessionId=1\n\n`;
    line.exchange({ method: 'GET', path: '/sse', answerHeaders: STREAM, answer });
    line.exchange({ path: '/message?sessionId=1', status: 202, answer: '' });
    expect(Object.values(line.cassettes()).join()).toMatch(/event: endpoint[\s\S]*end: stream closed/);
  });

  it('is not looked for in blank lines longer than the stream takes to come', () => {
    const line = proxied();
    line.exchange({ method: 'GET', path: '/other', answerHeaders: STREAM, answer: '\n'.repeat(4000) });
    expect(line.endpoints.isEmpty).toBe(true);
  });

  it.each<[string, Exchange]>([
    [
      'a form for a token',
      { headers: ['Content-Type', 'application/x-www-form-urlencoded'], body: 'client_secret=planted' },
    ],
    ['the registration of a client', { body: { client_name: 'planted' } }],
    ['JSON that is broken', { body: '{"jsonrpc": "2.0"' }],
    ['JSON of another version', { body: { jsonrpc: '1.0', planted: true } }],
    ['a JSON-RPC message of another type', { headers: ['Content-Type', 'text/plain'] }],
    ['a page', { method: 'GET', answer: '<html>planted</html>', answerHeaders: ['Content-Type', 'text/html'] }],
    [
      'another stream',
      { method: 'GET', answer: 'data: {"jsonrpc":"2.0"}\n\nevent: endpoint\ndata: /x\n\n', answerHeaders: STREAM },
    ],
    ['a stream with other events', { method: 'GET', answer: 'event: endpoints\ndata: /x\n\n', answerHeaders: STREAM }],
    ['another method', { method: 'PUT' }],
  ])('is not found by %s, of which nothing is recorded', (_what, exchange) => {
    const line = proxied();
    line.exchange(exchange);
    expect([line.endpoints.isEmpty, line.cassettes()]).toEqual([true, {}]);
  });

  it('is found by the first event of HTTP with SSE, and records what is posted to the address in it', () => {
    const line = proxied();
    const take = line.endpoints.exchange({ upstream: parseUpstream('https://far.example') });
    take({ kind: 'request', at: 0, method: 'GET', path: '/sse', headers: ['Accept', 'text/event-stream'] });
    take({ kind: 'end', at: 0, from: 'client' });
    take({ kind: 'response', at: 0, status: 200, headers: STREAM });
    for (const text of ['event: end', 'point\ndata: /messages?sessionId=planted-5f1c\n\n'])
      take({ kind: 'data', at: 0, from: 'server', data: Buffer.from(text) });
    line.exchange({ path: '/messages?sessionId=planted-5f1c', status: 202, answer: 'Accepted', answerHeaders: [] });
    const cassettes = line.cassettes();
    expect(Object.keys(cassettes)).toEqual(['far.example.yaml']);
    expect(cassettes['far.example.yaml']).toMatch(/url: https:\/\/far\.example\/sse\n[\s\S]*method: tools\/list/);
    expect(cassettes['far.example.yaml']).not.toContain('planted-5f1c');
  });

  it('is the named one alone, where one is named', () => {
    const line = proxied();
    line.exchange({ endpoint: '/mcp', path: '/other' });
    expect(line.endpoints.isEmpty).toBe(true);
    line.exchange({ endpoint: '/mcp', path: '/mcp?x=1', method: 'GET', answer: 'no', status: 404 });
    expect(line.endpoints.isEmpty).toBe(false);
  });

  it('has a recorder of its own, beside others of this server and of other servers', () => {
    const line = proxied();
    for (const path of ['/one', '/two', '/one']) line.exchange({ path });
    line.exchange({ origin: 'https://other.example', path: '/one' });
    const cassettes = line.cassettes();
    expect(Object.keys(cassettes)).toEqual(['far.example-2.yaml', 'far.example.yaml', 'other.example.yaml']);
    expect(cassettes['far.example.yaml']!.match(/tools\/list/g)).toHaveLength(2);
    expect(cassettes['far.example-2.yaml']).toContain('url: https://far.example/two\n');
  });

  it('is found once by clients that post at the same time', () => {
    const line = proxied();
    const server = { upstream: parseUpstream('https://far.example') };
    const takes = [line.endpoints.exchange(server), line.endpoints.exchange(server)];
    for (const take of takes) take({ kind: 'request', at: 0, method: 'POST', path: '/mcp', headers: JSON_TYPE });
    for (const take of takes) take({ kind: 'data', at: 0, from: 'client', data: Buffer.from(JSON.stringify(LIST)) });
    for (const take of takes) take({ kind: 'end', at: 0, from: 'client' });
    line.endpoints.end('complete');
    expect(Object.keys(line.cassettes())).toEqual(['far.example.yaml']);
  });

  it('is found by the beginning of a message that is too long', () => {
    const line = proxied({ holdBytesMax: 100 });
    line.exchange({ body: { jsonrpc: '2.0', method: 'x', params: 'y'.repeat(200) } });
    expect(line.endpoints.isEmpty).toBe(false);
    const other = proxied({ holdBytesMax: 100 });
    other.exchange({ body: { method: 'x', params: 'y'.repeat(200) } });
    expect(other.endpoints.isEmpty).toBe(true);
  });

  it('is found by the beginning of a message that the server answers before its end', () => {
    const line = proxied();
    const take = line.endpoints.exchange({ upstream: parseUpstream('https://far.example') });
    take({ kind: 'request', at: 0, method: 'POST', path: '/mcp', headers: JSON_TYPE });
    take({ kind: 'data', at: 0, from: 'client', data: Buffer.from(JSON.stringify(LIST).slice(0, 30)) });
    take({ kind: 'response', at: 0, status: 413, headers: [] });
    take({ kind: 'end', at: 0, from: 'server' });
    line.endpoints.end('complete');
    expect(Object.values(line.cassettes()).join()).toContain('partial: true');
  });

  it('is found by the beginning of a message for which there is no room beside others', () => {
    const line = proxied({ holdBytesMax: 100 });
    const begun = (text: string) => {
      const take = line.endpoints.exchange({ upstream: parseUpstream('https://far.example') });
      take({ kind: 'request', at: 0, method: 'POST', path: '/mcp', headers: JSON_TYPE });
      take({ kind: 'data', at: 0, from: 'client', data: Buffer.from(text.padEnd(90)) });
      return take;
    };
    for (let n = 0; n < 4; n++) begun('{"jsonrpc":"2.0","method":"x",');
    expect(line.endpoints.isEmpty).toBe(true);
    for (let n = 0; n < 4; n++) begun('{"jsonrpc":"2.0","method":"x",');
    expect(line.endpoints.isEmpty).toBe(false);
    expect(line.memory.held).toBeLessThanOrEqual(400);
  });

  it('is not found where the client leaves before it has said all', () => {
    const line = proxied();
    const take = line.endpoints.exchange({ upstream: parseUpstream('https://far.example') });
    take({ kind: 'request', at: 0, method: 'POST', path: '/mcp', headers: JSON_TYPE });
    take({ kind: 'data', at: 0, from: 'client', data: Buffer.from(JSON.stringify(LIST).slice(0, 20)) });
    take({ kind: 'gone', at: 0, from: 'client', how: 'rst' });
    expect([line.endpoints.isEmpty, line.cassettes()]).toEqual([true, {}]);
  });
});
