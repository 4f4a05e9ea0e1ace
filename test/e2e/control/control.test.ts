import { type ChildProcess, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { WEATHER } from '../../mock/control/controlled.ts';
import { ask } from '../../mock/control/described-api.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { Running, run } from '../../support/process.ts';
import type { Peer, TransportLike } from '../session/peer.ts';
import { sdk1Over } from '../session/sdk-1.ts';

const free = freeNames(temporaryFolder());
const weather = (text = WEATHER) => {
  const file = free();
  writeFileSync(file, text);
  return file;
};
const call = async (peer: Peer, city: string) => {
  const result = await peer.request('tools/call', { name: 'weather', arguments: { city } });
  return (result as { content: { text: string }[] }).content[0]!.text;
};
const urlIn = (line: string) => /control API on (\S+)$/.exec(line)![1]!;

/** A mock server over HTTP that a command serves, and its control API. */
async function controlled(command: 'replay' | 'mock', ...words: string[]) {
  const server = new Running(mcpRecord(command, '--http', '--control', '127.0.0.1:0', ...words));
  let line = await server.line(server.child.stderr);
  while (!line.includes('control API')) line = await server.line(server.child.stderr);
  const control = urlIn(line);
  const url = /listening on (\S+) for/.exec(await server.line(server.child.stderr))![1]!;
  const again = () => server.line(server.child.stderr);
  const api = (request: string, body?: unknown) => ask(control, request, body);
  const connect = () => sdk1Over(new StreamableHTTPClientTransport(new URL(url)) as TransportLike);
  const stop = async () => {
    server.read();
    server.signal('SIGTERM');
    const { status, stderr } = await server.ended;
    return { status, stderr };
  };
  return { server, url, api, connect, stop, again };
}

/** Makes a call without an initialized session, which is refused. */
async function callWithoutSession(url: string): Promise<void> {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather' } });
  expect(await fetch(url, { method: 'POST', headers, body })).toMatchObject({ status: 400 });
}

describe('mock --http --control', () => {
  it('is asked and changed from elsewhere, and goes on with a file that changes', async () => {
    const file = free();
    const mock = (said: string) =>
      `format: mcp-record-mock/1\ntools: [{ name: weather, answers: [{ when: { city: Oslo }, returns: ${said} }] }]\n`;
    writeFileSync(file, mock('rain'));
    const { server, url, api, connect, stop, again } = await controlled('mock', file);
    await using _ = server;
    expect((await api('GET /health')).body).toMatchObject({ cassette: file, transport: 'http', url });
    const peer = await connect();
    expect(await call(peer, 'Oslo')).toBe('rain');
    await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'sunny' }] });
    expect(await call(peer, 'Rome')).toBe('sunny');
    await api('DELETE /handlers');
    writeFileSync(file, mock('snow'));
    expect(await again()).toContain(`read ${file} again`);
    expect(await call(peer, 'Oslo')).toBe('snow');
    await api('PUT /faults', { faults: ['error-reply:tools/call:message=busy'] });
    await expect(call(peer, 'Oslo')).rejects.toThrow('busy');
    await api('DELETE /faults');
    const wanted = { method: 'tools/call', params: { arguments: { city: 'Rome' } } };
    expect((await api('POST /journal/wait', wanted)).body.entry.params.arguments).toEqual({ city: 'Rome' });
    await peer.close();
    expect((await api('POST /reset')).body).toEqual({ failed: false, findings: [] });
    const second = await connect();
    await expect(call(second, 'Rome')).rejects.toThrow();
    await second.close();
    expect((await api('GET /findings')).body).toMatchObject({ failed: true, findings: [{ kind: 'miss' }] });
    expect(await stop()).toMatchObject({ status: 1 });
  });

  it('fails for what a client does against the protocol, with --on-difference fail', async () => {
    const file = free();
    writeFileSync(file, 'format: mcp-record-mock/1\ntools: [{ name: weather, answers: [{ returns: rain }] }]\n');
    for (const [how, status] of [
      ['fail', 1],
      ['report', 0],
    ] as const) {
      const { server, url, api, stop } = await controlled('mock', '--on-difference', how, file);
      await using _ = server;
      await callWithoutSession(url);
      expect((await api('POST /reset')).body).toMatchObject({
        failed: how === 'fail',
        findings: [{ kind: 'differs' }],
      });
      expect(await stop()).toMatchObject({ status });
    }
  });

  it('refuses to be controlled over stdio', async () => {
    const { status, stderr } = await run(mcpRecord('mock', '--control', '127.0.0.1:0', 'weather.mock.yaml'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('USAGE_OPTION_WITHOUT_MEANING')]);
  });
});

describe('replay --http --control', () => {
  const start = (...options: string[]) => controlled('replay', ...options, weather());

  it('is asked and changed from elsewhere, test by test', async () => {
    const { server, url, api, connect, stop } = await start();
    await using _ = server;
    expect((await api('GET /health')).body).toMatchObject({
      ready: true,
      transport: 'http',
      url,
      pid: server.child.pid,
    });
    const first = await connect();
    expect([await call(first, 'Oslo'), await call(first, 'Rome')]).toEqual([
      'Oslo has 20 degrees',
      'Rome has 30 degrees',
    ]);
    expect((await api('POST /reset')).body).toEqual({ failed: false, findings: [] });
    await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'sunny' }] });
    const second = await connect();
    expect(await call(second, 'Oslo')).toBe('sunny');
    expect((await api('GET /journal?method=tools/call')).body.entries).toHaveLength(1);
    await Promise.all([first.close(), second.close()]);
    // The second test has left a recorded request.
    const leftOut = expect.stringMatching(/^mcp-record: 1 recorded request never came:\n.* tools\/call "weather"\n$/);
    expect(await stop()).toEqual({ status: 0, stderr: leftOut });
  });

  it('fails at the end where a test failed that was reset', async () => {
    const { server, api, connect, stop } = await start();
    await using _ = server;
    const peer = await connect();
    await expect(call(peer, 'Bonn')).rejects.toThrow();
    expect((await api('POST /reset')).body.failed).toBe(true);
    await peer.close();
    expect(await stop()).toMatchObject({ status: 1, stderr: expect.stringContaining('tools/call "weather"') });
  });

  it('fails for a mistake of the client, but for no unused call, with --on-difference fail', async () => {
    const { server, url, api, connect, stop } = await start('--on-difference', 'fail');
    await using _ = server;
    const peer = await connect();
    expect(await call(peer, 'Oslo')).toBe('Oslo has 20 degrees');
    await peer.close();
    expect((await api('POST /reset')).body).toMatchObject({
      failed: false,
      findings: [{ kind: 'unused', fails: false }],
    });
    await callWithoutSession(url);
    const { failed, findings } = (await api('POST /reset')).body;
    expect(failed).toBe(true);
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'differs', fails: true }));
    expect(await stop()).toMatchObject({ status: 1 });
  });

  it('fails at the end where a fault that was asked for never happened, and says so', async () => {
    const { server, api, stop } = await start('--fault', 'cut:ping');
    await using _ = server;
    expect((await api('GET /findings')).body.failed).toBe(false);
    await api('PUT /faults', { faults: ['drop:tools/list'] });
    await api('POST /fail-next', { method: 'ping', status: 500 });
    expect(await stop()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/Rule 1 \(drop\) never fired[\s\S]*1 request of ping should have failed: 0 came/),
    });
  });

  it('takes the faults of the command line, which fail with --strict-faults', async () => {
    const { server, api, connect, stop } = await start(
      '--fault',
      'error-reply:tools/call:message=busy',
      '--strict-faults',
    );
    await using _ = server;
    expect((await api('GET /faults')).body.faults).toMatchObject([{ do: 'error-reply', message: 'busy' }]);
    const peer = await connect();
    await expect(call(peer, 'Oslo')).rejects.toThrow('busy');
    await peer.close();
    expect((await api('POST /reset')).body.failed).toBe(false);
    const { status, stderr } = await stop();
    expect([status, stderr]).toEqual([1, expect.stringMatching(/rule 1 fired[\s\S]*never fired/)]);
  });
});

async function startStdio(...options: string[]) {
  const { command, args } = mcpRecord('replay', '--control', '127.0.0.1:0', ...options, weather());
  const transport = new StdioClientTransport({ command, args, stderr: 'pipe' });
  const said = gathered(transport.stderr as Readable);
  const peer = await sdk1Over(transport as TransportLike);
  const child = (transport as unknown as { _process: ChildProcess })._process;
  const status = new Promise<number | null>((resolve) => child.once('close', resolve));
  const api = (request: string, body?: unknown) => ask(urlIn(said()[0]!), request, body);
  return { api, peer, said, status };
}

describe('replay --control over stdio', () => {
  it('is asked and changed while its client uses it', async () => {
    const { api, peer, status } = await startStdio();
    expect((await api('GET /health')).body).toMatchObject({ transport: 'stdio', protocol: ['2025-11-25'] });
    await api('PUT /handlers', { handlers: [{ tool: 'weather', arguments: { city: 'Oslo' }, returns: 'snow' }] });
    expect([await call(peer, 'Oslo'), await call(peer, 'Rome')]).toEqual(['snow', 'Rome has 30 degrees']);
    await api('DELETE /handlers');
    expect(await call(peer, 'Oslo')).toBe('Oslo has 20 degrees');
    const { entries } = (await api('GET /journal?method=tools/call')).body;
    expect(entries.map(({ session }: { session: number }) => session)).toEqual([1, 1, 1]);
    await api('PUT /faults', { faults: ['error-reply:ping:message=busy'] });
    await expect(peer.request('ping')).rejects.toThrow('busy');
    expect((await api('GET /faults')).body.fired).toMatchObject([{ rule: 1, fault: 'error-reply', method: 'ping' }]);
    await api('DELETE /faults');
    await api('POST /fail-next', { method: 'ping', error: { code: -32000, message: 'over quota' } });
    await expect(peer.request('ping')).rejects.toThrow('over quota');
    expect((await api('POST /notify', { method: 'notifications/tools/list_changed' })).body).toEqual({ sessions: 1 });
    expect((await api('POST /request', { method: 'roots/list' })).body.result.roots).toBeInstanceOf(Array);
    expect((await api('POST /journal/wait', { method: 'roots/list' })).body.entry).toMatchObject({
      kind: 'answer',
      to: 'roots/list',
    });
    expect((await api('GET /findings')).body).toEqual({ failed: false, findings: [] });
    await peer.close();
    expect(await status).toBe(0);
  });

  it('says what has no meaning for one client', async () => {
    const { api, peer } = await startStdio();
    for (const [request, body] of [
      ['POST /reset'],
      ['POST /sessions/expire'],
      ['POST /fail-next', { method: 'ping', status: 500 }],
    ] as const)
      expect(await api(request, body)).toMatchObject({ status: 409, body: { error: { code: 'CONTROL_NOT_HERE' } } });
    await peer.close();
  });

  it('says how it goes while it goes on, and fails at the end as it said', async () => {
    const { api, peer, status, said } = await startStdio('--strict');
    await call(peer, 'Oslo');
    expect((await api('GET /findings')).body).toMatchObject({
      failed: true,
      findings: [{ kind: 'unused', fails: true }],
    });
    await call(peer, 'Rome');
    expect((await api('GET /findings')).body).toEqual({ failed: false, findings: [] });
    await api('PUT /faults', { faults: ['drop:tools/list', 'truncate:ping:bytes=500'] });
    await peer.request('ping');
    await peer.close();
    expect(await status).toBe(1);
    expect(said().at(-2)).toContain('Rule 1 (drop) never fired.');
    expect(said().at(-1)).toMatch(/Rule 2 \(truncate\) never fired: the message has \d+ bytes/);
  });
});

it('replay --control over stdio says of handlers that were never called what its exit status says', async () => {
  const { api, peer, status, said } = await startStdio();
  await api('PUT /handlers', { handlers: [{ tool: 'tides', returns: 'low' }] });
  const text = 'The handler of tools/call "tides" (/handlers/0) was never called.';
  expect((await api('GET /findings')).body).toMatchObject({
    failed: true,
    findings: [
      { kind: 'unfired', text, fails: true },
      { kind: 'unused', fails: false },
    ],
  });
  await peer.close();
  expect(await status).toBe(1);
  expect(said().at(-1)).toContain(text);
});

describe('--control', () => {
  it.each([
    ['another machine', ['--control', '0.0.0.0:0'], 'USAGE_BAD_LISTEN', '--control 127.0.0.1:PORT'],
    [
      'a second source of faults',
      ['--control', '0', '--live-faults', 'x.json'],
      'USAGE_OPTION_WITHOUT_MEANING',
      '--live-faults',
    ],
  ])('is refused with %s', (_, options, code, text) => {
    const { command, args } = mcpRecord('replay', ...options, weather());
    const { stderr, status } = spawnSync(command, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining(code)]);
    expect(stderr).toContain(text);
  });
});

/** The lines that a process has said until now. */
function gathered(stream: Readable): () => string[] {
  let text = '';
  stream.on('data', (data) => {
    text += data;
  });
  return () => text.split('\n').filter(Boolean);
}
