import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LoadJson } from '../../src/load/load-report.ts';
import { type Listening, serve } from '../e2e/http/processes.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { loadedServer as flawed, recordLoadedServer } from '../support/loaded-server.ts';
import { fixture, Running, run } from '../support/process.ts';

const folder = realpathSync(temporaryFolder());
const cassette = join(folder, 'weather.yaml');

let sound: Listening;
beforeAll(async () => {
  sound = await flawed();
  await recordLoadedServer(sound, cassette);
});
afterAll(() => sound[Symbol.asyncDispose]());

async function loaded(url: URL, ...options: string[]): Promise<LoadJson & { status: number | null }> {
  const { status, stdout } = await run(mcpRecord('load', '--json', ...options, '--http', url.href, cassette));
  return { ...JSON.parse(stdout.toString()), status };
}

it('finds the one wrong answer in 10,000, with its session and its value', async () => {
  const CALLS = 10_000;
  let calls = 0;
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call') calls++;
    const text = calls === CALLS ? 'Oslo: snow' : 'Oslo: sunny';
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'fast', version: '1' } }
        : { content: [{ type: 'text', text }] };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (calls >= CALLS + 500) load?.signal('SIGINT');
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const result = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'fast', version: '1' },
  };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const events = [
    { client: { id: 0, method: 'initialize', params } },
    { server: { id: 0, result } },
    { client: { method: 'notifications/initialized' } },
    ...Array.from({ length: 50 }, (_, n) => n + 1).flatMap((id) => [
      { client: { id, method: 'tools/call', params: { name: 'weather', arguments: { city: 'Oslo' } } } },
      { server: { id, result: { content: [{ type: 'text', text: 'Oslo: sunny' }] } } },
    ]),
  ].map((event) => Object.entries(event).map(([side, message]) => ({ [side]: { jsonrpc: '2.0', ...message } }))[0]);
  const file = join(folder, 'fast.yaml');
  writeFileSync(
    file,
    `format: mcp-record/1\nevents:\n${events.map((event) => `- ${JSON.stringify(event)}\n`).join('')}`,
  );
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  let load: Running | undefined;
  load = new Running(mcpRecord('load', '--json', '--clients', '4', '--for', '1h', '--http', url, file)).read();
  const { stdout, status } = await load.ended;
  http.closeAllConnections();
  http.close();
  const { failures, failed, failedSessions, calls: kinds }: LoadJson = JSON.parse(stdout.toString());
  expect([status, failed, failedSessions, failures.length]).toEqual([130, 1, 1, 1]);
  expect(failures[0]).toMatchObject({ count: 1, step: { title: 'tools/call "weather"', file } });
  expect(JSON.stringify(failures[0]!.step.live)).toContain('Oslo: snow');
  // Four clients play 50 calls a session.
  expect(Math.abs(failures[0]!.session - CALLS / 50)).toBeLessThanOrEqual(4);
  expect(kinds.find(({ what }) => what.includes('weather'))!.answers).toBeGreaterThan(CALLS);
});

it('counts notifications that the cassette does not have over all sessions, and fails them with --strict', async () => {
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      method === 'initialize'
        ? {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {}, logging: {} },
            serverInfo: { name: 'a', version: '1' },
          }
        : { content: [{ type: 'text', text: 'Oslo: sunny' }] };
    const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
    const messages = [...(method === 'tools/call' ? [log] : []), { jsonrpc: '2.0', id, result }];
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.end(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const file = join(folder, 'logs.yaml');
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const result = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'a', version: '1' },
  };
  const events = [
    { client: { id: 0, method: 'initialize', params } },
    { server: { id: 0, result } },
    { client: { method: 'notifications/initialized' } },
    { client: { id: 1, method: 'tools/call', params: { name: 'weather', arguments: { city: 'Oslo' } } } },
    { server: { id: 1, result: { content: [{ type: 'text', text: 'Oslo: sunny' }] } } },
  ];
  writeFileSync(file, `format: mcp-record/1\nevents:\n${events.map((one) => `- ${JSON.stringify(one)}\n`).join('')}`);
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const play = async (...options: string[]) => {
    const { stdout, status } = await run(
      mcpRecord('load', '--json', '--clients', '2', '--for', '500ms', ...options, '--http', url, file),
    );
    return { status, figures: JSON.parse(stdout.toString()) as LoadJson };
  };
  const { status, figures } = await play();
  const strict = await play('--strict');
  const threads = await play('--workers', '2');
  http.closeAllConnections();
  http.close();
  expect(figures.sessions).toBeGreaterThan(1);
  expect([status, figures.failed, figures.unrecordedNotifications]).toEqual([0, 0, figures.sessions]);
  expect(threads.figures.unrecordedNotifications).toBe(threads.figures.sessions);
  expect([strict.status, strict.figures.failed]).toEqual([1, strict.figures.sessions]);
  expect(strict.figures.failures).toMatchObject([
    { count: strict.figures.sessions, step: { title: 'notifications of the server' } },
  ]);
});

/** Loads a server until its n-th call of the tool. */
async function loadedUntil(server: Listening, call: number, ...options: string[]): Promise<LoadJson> {
  const words = ['load', '--json', '--clients', '4', '--for', '1h', ...options, '--http', server.url.href, cassette];
  const running = new Running(mcpRecord(...words)).read();
  await server.tells(`call ${call}`);
  running.signal('SIGINT');
  return JSON.parse((await running.ended).stdout.toString());
}

it('finds a server that gets slower by a threshold that a sound one holds, and shows when', async () => {
  const threshold = ['--threshold', 'weather:p95<2s'];
  const { thresholds } = await loadedUntil(sound, 16, ...threshold);
  expect(thresholds[0]!.holds).toBe(true);
  // The n-th call takes 200 n ms at least.
  await using server = await flawed('leaks', '200');
  const slower = await loadedUntil(server, 16, ...threshold);
  expect([slower.failed, slower.thresholds[0]!.holds]).toEqual([0, false]);
  const slowest = slower.intervals.map(({ took }) => took?.max ?? 0);
  expect(slowest[0]).toBeLessThanOrEqual(1_000);
  expect(Math.max(...slowest.slice(1))).toBeGreaterThan(1_000);
});

it('sees a leak of memory when the process dies of it: sessions broken off, then no server', async () => {
  const { command, args } = fixture('loaded.js', 'fills', '20');
  await using server = await serve({ command, args: ['--max-old-space-size=100', ...args] }, '/mcp');
  const { status, failures, intervals } = await loaded(
    server.url,
    '--clients',
    '2',
    '--for',
    '15s',
    '--timeout',
    '3000',
  );
  expect(status).toBe(1);
  expect(failures.map(({ step }) => step.title)).toContain('the server');
  // On a busy machine, the first answer may take more than a second.
  expect(intervals.reduce((sum, { answers }) => sum + answers, 0)).toBeGreaterThan(0);
  expect(intervals.at(-1)!.failed).toBeGreaterThan(0);
});

it.skipIf(process.platform === 'win32')(
  'sees a leak of descriptors when there are none left: errors in place of answers',
  async () => {
    const { command, args } = fixture('loaded.js', 'opens', '150');
    const limited = join(folder, 'limited.sh');
    writeFileSync(limited, `#!/bin/sh\nulimit -n 300 && exec "${command}" "$@"\n`, { mode: 0o755 });
    await using server = await serve({ command: limited, args }, '/mcp');
    const { status, failures } = await loaded(server.url, '--clients', '2', '--for', '6s', '--timeout', '3000');
    expect(status).toBe(1);
    expect(JSON.stringify(failures.map(({ step }) => step.live))).toContain('EMFILE');
  },
);
