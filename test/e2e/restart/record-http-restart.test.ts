import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport as StreamableHttp2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { freeNames, said, temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord, program } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { streamable1 } from '../http/clients.ts';
import { type Listening, record, replay, serve } from '../http/processes.ts';
import { client2Over } from '../session/client-2.ts';
import { Heard, overhear, type Peer, type WireMessage } from '../session/peer.ts';
import { sdk1Over } from '../session/sdk-1.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const servers = join(import.meta.dirname, '..', 'http', 'servers');

const SDKS: [name: string, connect: (url: URL) => Promise<Peer>][] = [
  ['SDK 1', streamable1],
  ['SDK 2', (url) => client2Over(new StreamableHttp2(url))],
];
const EVERYTHING = program('@modelcontextprotocol/server-everything', 'dist/index.js', 'streamableHttp');
const ofFolder = (name: string, ...args: string[]): Command => ({
  command: process.execPath,
  args: [join(servers, name), ...args],
});

/** A server at one URL, which its owner kills and starts again. */
async function ownServer(command: Command) {
  const processes = [await serve(command, '/mcp')];
  const { url } = processes[0]!;
  const latest = (): Listening => processes.at(-1)!;
  return {
    url,
    latest,
    /** Resolves when the process is gone. */
    kill: () => latest()[Symbol.asyncDispose](),
    async start() {
      processes.push(await serve(command, '/mcp', url.port));
    },
    async [Symbol.asyncDispose]() {
      for (const one of processes) await one[Symbol.asyncDispose]();
    },
  };
}

const called = (name: string, args: object = {}) => ['tools/call', { name, arguments: args }] as const;
const isNamed = (name: string) => (message: WireMessage) => message.method === `notifications/${name}`;
const isChanged = isNamed('tools/list_changed');
const SUBSCRIBED = 'demo://resource/dynamic/text/1';
const LOST = 'The server was restarted before it answered: its connection was lost.';

const recorder = (url: URL, file: string, ...options: string[]) =>
  record(url, file, '--restart-on', 'crash', ...options);

function stderrOf(file: string): string[] {
  return said(file).flatMap(([who, what]) => (who === 'stderr' ? [String(what)] : []));
}

async function linted(file: string) {
  const { stdout, stderr, status } = await run(mcpRecord('lint', file));
  return [status, `${stdout}${stderr}`];
}

/** Waits until something that another process does is seen. */
async function until(seen: () => boolean): Promise<void> {
  while (!seen()) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a line on the standard error of a process. */
const says = (process: Listening, pattern: RegExp) => until(() => process.said.some((line) => pattern.test(line)));

const textOf = (text: string) => ({ content: [{ text }] });

describe.each(SDKS)('a client on %s whose server at a URL is killed and started again', (name, connect) => {
  it('gets an error for its call, and goes on with a new server that has its level and subscription', async () => {
    const file = newFile();
    await using server = await ownServer(EVERYTHING);
    const proxy = await recorder(server.url, file);
    const peer = await connect(proxy.url);
    await peer.request('logging/setLevel', { level: 'debug' });
    await peer.request('resources/subscribe', { uri: SUBSCRIBED });
    const works = peer.heard.next(isNamed('progress'));
    const long = peer.request(...called('trigger-long-running-operation', { duration: 600, steps: 1000 }), {
      progress: true,
    });
    const failed = expect(long).rejects.toThrow(LOST);
    await works;
    const changed = peer.heard.next(isChanged);
    await server.kill();
    await failed;
    // It waits for the server.
    const echoed = peer.request(...called('echo', { message: 'again' }));
    await says(proxy, /lost the session: it cannot be reached/);
    await server.start();
    expect(await echoed).toMatchObject({ content: [{ text: 'Echo: again' }] });
    await changed;
    const updated = peer.heard.next(isNamed('resources/updated'));
    await peer.request(...called('toggle-subscriber-updates'));
    expect(await updated).toMatchObject({ params: { uri: SUBSCRIBED } });
    await peer.close();
    expect((await proxy.stop()).status).toBe(0);

    expect(stderrOf(file)).toEqual(
      expect.arrayContaining([
        'mcp-record: The server has lost the session: it cannot be reached.',
        expect.stringContaining('initialize, notifications/initialized, logging/setLevel, resources/subscribe'),
      ]),
    );
    const cassette = loadCassette(file);
    expect(cassette).toMatchObject({ warnings: [], end: name === 'SDK 1' ? 'session deleted' : 'complete' });
    expect(readdirSync(folder).filter((name) => name.includes('probe'))).toEqual([]);
    const optional = cassette.events.filter(({ match }) => match?.optional);
    const sent = optional.map(({ frame }) => (frame.kind === 'message' ? (frame.json.value as WireMessage) : {}));
    expect(sent[0]).toMatchObject({ error: { code: -32000, message: LOST } });
    expect(sent.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['tools', 'prompts', 'resources'].map((name) => `notifications/${name}/list_changed`)),
    );
    expect(await linted(file)).toEqual([0, expect.stringContaining('0 errors, 0 warnings')]);

    await using mock = await replay(file);
    const played = await connect(mock.url);
    const heard = played.heard.next(isChanged);
    await played.request('logging/setLevel', { level: 'debug' });
    await played.request('resources/subscribe', { uri: SUBSCRIBED });
    const again = played.request(...called('trigger-long-running-operation', { duration: 600, steps: 1000 }), {
      progress: true,
    });
    await expect(again).rejects.toThrow(LOST);
    expect(await played.request(...called('echo', { message: 'again' }))).toMatchObject({
      content: [{ text: 'Echo: again' }],
    });
    await heard;
    await played.close();
  });

  it('hears on its open stream that lists may have changed, though it says nothing itself', async () => {
    const file = newFile();
    await using server = await ownServer(EVERYTHING);
    const proxy = await recorder(server.url, file);
    const peer = await connect(proxy.url);
    const isAsked = ({ method }: WireMessage) => method === 'roots/list';
    await peer.heard.next(isAsked);
    const changed = peer.heard.next(isChanged);
    await peer.request(...called('echo', { message: 'one' }));
    await server.kill();
    await says(proxy, /lost the session/);
    const askedAgain = peer.heard.next(isAsked);
    await server.start();
    await changed;
    await askedAgain;
    expect(await peer.request('tools/list')).toMatchObject({ tools: expect.any(Array) });
    await peer.close();
    await proxy.stop();
    expect(await linted(file)).toEqual([0, expect.stringContaining('0 errors, 0 warnings')]);
  });
});

describe.each(['json', 'sse', 'resumable', 'stateless'])('a server on SDK 1 that answers as %s', (form) => {
  it('is killed during a call, and the session lints and verifies', async () => {
    const file = newFile();
    await using server = await ownServer(ofFolder('sdk-1.js', form));
    const proxy = await recorder(server.url, file);
    const peer = await streamable1(proxy.url);
    expect(await peer.request(...called('add', { a: 1, b: 2 }))).toMatchObject(textOf('3'));
    const requests = () => server.latest().said.filter((line) => line === 'request POST').length;
    const before = requests();
    const failed = expect(peer.request(...called('waits'))).rejects.toThrow(LOST);
    while (requests() === before) await new Promise((resolve) => setImmediate(resolve));
    await server.kill();
    await failed;
    const echoed = peer.request(...called('echo', { message: 'again' }));
    await server.start();
    expect(await echoed).toMatchObject(textOf('again'));
    await peer.close();
    await proxy.stop();
    expect(await linted(file)).toEqual([0, expect.stringContaining('0 errors, 0 warnings')]);
    expect(stderrOf(file).filter((line) => line.includes('has lost the session')).length).toBeLessThanOrEqual(1);
    // Its streams end with the session, so the call has no answer there: no cassette can say that it may stay open.
    if (form === 'sse') return;
    await using other = await ownServer(ofFolder('sdk-1.js', form));
    const { stdout, stderr, status } = await run(mcpRecord('verify', file, '--http', other.url.href));
    expect([status, `${stdout}${stderr}`]).toEqual([
      0,
      expect.stringMatching(/- tools\/call "waits" +line \d+ +is not compared: the answer in the cassette is optional/),
    ]);
  });
});

describe('two clients of one server that counts its sessions', () => {
  it('keep their own sessions, which the new server gives in another order', async () => {
    const file = newFile();
    await using server = await ownServer(ofFolder('sdk-1.js', 'counted'));
    const proxy = await recorder(server.url, file);
    const clientOf = async (name: string) => {
      const transport = new StreamableHTTPClientTransport(proxy.url);
      const peer = await sdk1Over(transport, { roots: [{ uri: `file:///${name}`, name }] });
      return { peer, transport, roots: () => peer.request(...called('asks-for-roots')) };
    };
    const ada = await clientOf('ada');
    const bob = await clientOf('bob');
    expect([ada.transport.sessionId, bob.transport.sessionId]).toEqual(['1', '2']);
    expect(await Promise.all([ada.roots(), bob.roots()])).toMatchObject([textOf('file:///ada'), textOf('file:///bob')]);
    await server.kill();
    await server.start();
    // Bob comes first: the new server calls his session 1, which Ada's client knows as hers.
    expect(await bob.roots()).toMatchObject(textOf('file:///bob'));
    // So does one that opens a session, whose id both servers have given to others.
    const eve = await clientOf('eve');
    expect(new Set([ada, bob, eve].map(({ transport }) => transport.sessionId)).size).toBe(3);
    const answers = await Promise.all([eve.roots(), ada.roots(), bob.roots()]);
    expect(answers).toMatchObject(['eve', 'ada', 'bob'].map((name) => textOf(`file:///${name}`)));
    for (const { peer } of [ada, bob, eve]) await peer.close();
    await proxy.stop();
    const [first, ...others] = ['', '-2', '-3'].map((suffix) => file.replace('.yaml', `${suffix}.yaml`));
    const rootsIn = (path: string) => new Set(readFileSync(path, 'utf8').match(/file:\/\/\/\w+/g));
    expect([first!, ...others].map(rootsIn)).toEqual(['ada', 'bob', 'eve'].map((name) => new Set([`file:///${name}`])));
    for (const path of [first!, ...others])
      expect(await linted(path)).toEqual([0, expect.stringContaining('0 errors')]);
  });
});

describe('a client of 2026-07-28', () => {
  it('has no session to open: its subscription and its next call go to the new server', async () => {
    const file = newFile();
    await using server = await ownServer(ofFolder('modern.js'));
    const proxy = await recorder(server.url, file);
    const heard = new Heard();
    const transport = overhear(new StreamableHttp2(proxy.url), heard);
    const client = new Client(
      { name: 'listens', version: '1' },
      { capabilities: {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(transport);
    const subscription = await client.listen({ toolsListChanged: true });
    const begun = heard.next(isNamed('progress'));
    const waits = client.callTool({ name: 'waits', arguments: {} }, { onprogress() {} });
    const failed = expect(waits).rejects.toThrow(LOST);
    await begun;
    const changed = heard.next(isChanged);
    await server.kill();
    await failed;
    const added = client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    await server.start();
    expect(await added).toMatchObject({ content: [{ text: '3' }] });
    await changed;
    await subscription.close();
    await client.close();
    await proxy.stop();
    expect(stderrOf(file)).toContainEqual(
      expect.stringContaining('It is subscribed to again when the server is back.'),
    );
    expect(await linted(file)).toEqual([0, expect.stringContaining('0 errors, 0 warnings')]);
  });
});

describe('a server at a URL that does not come back before the recorder ends', () => {
  it('loses nothing that was recorded', async () => {
    const file = newFile();
    await using server = await ownServer(EVERYTHING);
    const proxy = await recorder(server.url, file);
    const peer = await streamable1(proxy.url);
    await peer.request(...called('echo', { message: 'one' }));
    await server.kill();
    const waits = expect(peer.request(...called('echo', { message: 'two' }))).rejects.toThrow();
    await says(proxy, /lost the session/);
    // The loss may be seen by the open stream, before the call comes.
    await until(() => /message: '?two/.test(readFileSync(file, 'utf8')));
    await proxy.stop();
    await waits;
    const cassette = loadCassette(file);
    expect([cassette.end, cassette.warnings]).toEqual(['complete', []]);
    expect(readFileSync(file, 'utf8')).toContain('text: "Echo: one"');
    expect(readFileSync(file, 'utf8')).toMatch(/message: '?two/);
  });
});
