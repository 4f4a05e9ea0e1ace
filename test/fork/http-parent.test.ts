import { afterEach, describe, expect, it } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import type { WireFrame } from '../../src/channel/frame.ts';
import { HttpParent } from '../../src/fork/http-parent.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { type HttpListener, listen } from '../../src/transports/http/server/http-listener.ts';
import type { Parent } from '../../src/transports/stdio/parent-channel.ts';
import { call, cassette, client, notification, progress, request, result, server } from '../support/conversation.ts';

const greeting = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
const opened = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25', capabilities: {} } };
const prefix = cassette(client(greeting), server(opened));

let listener: HttpListener | undefined;
afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

/** A client over HTTP, and the server's end of its channel. */
async function connected(recorded: Cassette = prefix) {
  const clock = new ManualClock();
  const heard: unknown[] = [];
  const stderr: string[] = [];
  let whenHeard: () => void = () => {};
  const own: Parent = {
    listen() {},
    send: (frame) => frame.kind === 'bytes' && stderr.push(Buffer.from(frame.data).toString()) > 0,
    drained: (_stream, resume) => resume(),
    pause() {},
    resume() {},
    flushed: (done) => done(),
  };
  let sessions = 0;
  const newSession = () => `session-${++sessions}`;
  const parent = new HttpParent({ cassette: recorded, own, clock, newSession, report() {} });
  listener = await listen({
    ...{ hostname: '127.0.0.1', port: 0, path: '/mcp', allowed: [], bodyMax: 100_000 },
    serve: parent.serve,
  });
  const { url } = listener;
  const begin = () =>
    parent.listen((frame) => {
      heard.push(frame.kind === 'bytes' ? JSON.parse(Buffer.from(frame.data).toString()) : frame.kind);
      whenHeard();
    });
  const send = (on: 'protocol' | 'stderr', text: string): WireFrame => ({
    ...{ kind: 'bytes', at: 0, from: 'server', on },
    data: Buffer.from(`${text}\n`),
  });
  const headers = (session?: string) => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session !== undefined && { 'mcp-session-id': session }),
  });
  return {
    ...{ clock, heard, stderr, parent, begin },
    says: (...messages: unknown[]) => {
      for (const message of messages) parent.send(send('protocol', JSON.stringify(message)));
    },
    logs: (text: string) => parent.send(send('stderr', text)),
    exits() {
      parent.send({ kind: 'close', at: 0, from: 'server' });
      parent.send({ kind: 'exit', at: 0, from: 'server', status: 0 });
    },
    /** Resolves when the server has heard so much. */
    hears: (count: number) =>
      new Promise<void>((resolve) => {
        whenHeard = () => void (heard.length >= count && resolve());
        whenHeard();
      }),
    post: (message: unknown, session?: string) =>
      fetch(url, { method: 'POST', headers: headers(session), body: JSON.stringify(message, undefined, 2) }),
    get: (session: string) => fetch(url, { headers: headers(session) }),
    ends: (session: string) => fetch(url, { method: 'DELETE', headers: headers(session) }),
  };
}

/** Messages of a stream of events. */
async function events(response: Response): Promise<unknown[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!));
}

async function open() {
  const http = await connected();
  http.begin();
  const greeted = http.post(greeting);
  await http.hears(1);
  http.says(opened);
  await greeted;
  return http;
}

describe('a client over HTTP', () => {
  it('is a client of lines, also if it begins before the server is started', async () => {
    const http = await connected();
    const greeted = http.post(greeting);
    http.logs('ready');
    http.begin();
    await http.hears(1);
    expect([http.heard, http.stderr]).toEqual([[greeting], ['ready\n']]);
    http.says(opened);
    const response = await greeted;
    expect([response.headers.get('mcp-session-id'), await response.json()]).toEqual(['session-1', opened]);
  });

  it('gets progress on the request that it belongs to, and questions on the latest one', async () => {
    const http = await open();
    const first = http.post(call(1, 'slow', {}, 'a'), 'session-1');
    await http.hears(2);
    const second = http.post(call(2, 'slow', {}, 'b'), 'session-1');
    await http.hears(3);
    const question = request(0, 'roots/list');
    http.says(progress('a', 1), question, progress('b', 1), result(2, 'two'), progress('a', 2), result(1, 'one'));
    expect(await events(await first)).toEqual([progress('a', 1), progress('a', 2), result(1, 'one')]);
    expect(await events(await second)).toEqual([question, progress('b', 1), result(2, 'two')]);
  });

  it('gets the rest on its listening stream', async () => {
    const http = await open();
    http.says(notification('tools/list_changed'));
    const listening = await http.get('session-1');
    http.exits();
    expect(await events(listening)).toEqual([notification('tools/list_changed')]);
  });

  it('ends the server by the end of its session, and by SIGTERM if it stays', async () => {
    const http = await open();
    await http.ends('session-1');
    expect(http.heard.slice(1)).toEqual(['close']);
    http.clock.advance(2_000);
    expect(http.heard.slice(1)).toEqual(['close', 'signal']);
  });

  it('is left alone by SIGTERM if the server has ended', async () => {
    const http = await open();
    http.parent.leave();
    http.exits();
    http.clock.advance(2_000);
    expect(http.heard.slice(1)).toEqual(['close']);
  });

  it('gets errors from a server that has ended, and so does a second client before', async () => {
    const http = await open();
    const refused = await http.post({ ...greeting, id: 9 });
    expect(await refused.json()).toMatchObject({ id: 9, error: { message: expect.stringContaining('one client') } });
    const left = http.post(call(1, 'slow'), 'session-1');
    await http.hears(2);
    http.exits();
    const words = { error: { message: 'mcp-record: The server has ended.' } };
    expect(await (await left).json()).toMatchObject({ id: 1, ...words });
    expect(http.heard).toHaveLength(2);
  });
});

it('sends the messages of a subscription on it, and no others', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const meta = { ..._meta, 'io.modelcontextprotocol/clientCapabilities': {} };
  const listing = request(0, 'tools/list', { _meta: meta });
  const http = await connected(
    cassette(client(listing), server({ jsonrpc: '2.0', id: 0, result: { resultType: 'complete', tools: [] } })),
  );
  http.begin();
  const modern = (method: string, name?: string) => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  });
  const listen = request('sub', 'subscriptions/listen', { _meta: meta, notifications: { toolsListChanged: true } });
  const listening = fetch(listener!.url, {
    method: 'POST',
    headers: modern('subscriptions/listen'),
    body: JSON.stringify(listen),
  });
  await http.hears(1);
  const calling = fetch(listener!.url, {
    method: 'POST',
    headers: modern('tools/call', 'add'),
    body: JSON.stringify({ ...call(1, 'add', {}), params: { name: 'add', arguments: {}, _meta: meta } }),
  });
  await http.hears(2);
  const changed = notification('tools/list_changed', { _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } });
  const logged = notification('message', { level: 'info', data: 'x' });
  const added = { jsonrpc: '2.0', id: 1, result: { resultType: 'complete', content: [] } };
  http.says(changed, logged, added);
  expect(await events(await calling)).toEqual([logged, added]);
  http.exits();
  expect((await events(await listening))[0]).toEqual(changed);
});
