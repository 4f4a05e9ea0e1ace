import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import { modern2, streamable1 } from '../../../e2e/http/clients.ts';
import { listen, serve } from '../../../e2e/http/processes.ts';
import { connectClient2 } from '../../../e2e/session/client-2.ts';
import type { Peer, WireMessage } from '../../../e2e/session/peer.ts';
import { connectSdk1 } from '../../../e2e/session/sdk-1.ts';
import { freeNames, said } from '../../../support/cassette.ts';
import { type Command, everything, mcpRecord, program, recorded } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';
import { answerTo, called, folder, forked, GREEN, memory, OPENS, requestsOf, verified } from './forks.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const newFile = freeNames(folder);
const memoryCassette = join(root, 'cassettes', 'memory.yaml');
let folders = 0;

type Connect = (command: Command) => Promise<Peer>;
const SDKS: [name: string, connect: Connect][] = [
  ['SDK 1', connectSdk1],
  ['SDK 2', connectClient2],
  ['SDK 2 that asks for the revision first, in a process of its own', (command) => connectClient2(command, 'auto')],
];
const along = (place: string, file: string, server: Command, ...options: string[]) =>
  forked(place, file, server, '--with-client', ...options);

/** The recorded calls up to a place, as a live client makes them again. */
function callsUpTo(place: string): [method: string, params: Record<string, unknown>][] {
  const [, file, line] = /^(.+):(\d+)$/.exec(place)!;
  return loadCassette(file!).events.flatMap(({ frame, line: at }): [string, Record<string, unknown>][] => {
    if (at > Number(line) || frame.kind !== 'message' || frame.from !== 'client') return [];
    const { method = '', params = {} } = frame.json.value as WireMessage;
    return method === 'tools/call' ? [[method, { name: params.name, arguments: params.arguments }]] : [];
  });
}

describe.each(SDKS)('a live client on %s', (_name, connect) => {
  it('is answered by the cassette up to the line, and by the server from there on', async () => {
    const [file, server] = [newFile(), memory()];
    const place = answerTo(memoryCassette, 'add_observations');
    const peer = await connect(along(place, file, server));
    const answers = [];
    for (const call of callsUpTo(place)) answers.push(await peer.request(...call));
    const graph = await peer.request(...called('read_graph'), { progress: true });
    await peer.request(...called('delete_entities', { entityNames: ['Ada'] }));
    await peer.close();
    expect(answers).toHaveLength(3);
    expect(graph).toMatchObject({ structuredContent: { entities: [{ name: 'Ada' }, { name: 'Charles' }] } });
    expect(readFileSync(server.env!.MEMORY_FILE_PATH!, 'utf8')).not.toContain('Ada"');

    const requests = requestsOf(file);
    expect(requests.map(({ method, params }) => params?.name ?? method)).toEqual([
      'initialize',
      'tools/list',
      'create_entities',
      'create_relations',
      'add_observations',
      'read_graph',
      'delete_entities',
    ]);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
    // The client makes the calls itself, so that a test of it requires them.
    expect(loadCassette(file).events.filter(({ match }) => match?.optional)).toEqual([]);
    expect(await verified(file, memory())).toEqual(GREEN);
    const replay = await connect(mcpRecord('replay', '--strict', file));
    await replay.request('tools/list');
    for (const call of callsUpTo(place)) await replay.request(...call);
    expect(await replay.request(...called('read_graph'), { progress: true })).toEqual(graph);
    await replay.close();
  });

  it('writes no file in the part that the cassette answers, and reads what the recorded client has written', async () => {
    const files = join(folder, `with-client-${folders++}`);
    mkdirSync(files);
    const server = program('@modelcontextprotocol/server-filesystem', 'dist/index.js', files);
    const [cassette, file, path] = [newFile(), newFile(), join(files, 'note.txt')];
    const roots = [{ uri: `file://${files}`, name: 'files' }];
    const writer = await connectSdk1(recorded(cassette, server), { roots });
    await writer.request(...called('write_file', { path, content: 'one\n' }));
    await writer.request(...called('write_file', { path, content: 'two\n' }));
    await writer.close();
    rmSync(path);

    const peer = await connect(along(answerTo(cassette, 'write_file'), file, server));
    await peer.request(...called('write_file', { path, content: 'one\n' }));
    const read = await peer.request(...called('read_text_file', { path }));
    await peer.close();
    expect(read).toMatchObject({ content: [{ text: 'one\n' }] });
    rmSync(path);
    expect(await verified(file, server)).toEqual(GREEN);
  });
});

describe('a client of server-everything', () => {
  it('answers the questions of the cassette before the line, and those of the server after it', async () => {
    const [cassette, file] = [newFile(), newFile()];
    const before = await connectSdk1(recorded(cassette, everything));
    await before.request('logging/setLevel', { level: 'debug' });
    await before.request(...called('trigger-sampling-request', { prompt: 'first', maxTokens: 5 }));
    await before.request(...called('trigger-elicitation-request'));
    await before.close();

    const peer = await connectSdk1(along(answerTo(cassette, 'trigger-elicitation-request'), file, everything));
    await peer.request('logging/setLevel', { level: 'debug' });
    await peer.request(...called('trigger-sampling-request', { prompt: 'first', maxTokens: 5 }));
    await peer.request(...called('trigger-elicitation-request'));
    const steps = peer.heard.next(({ params }) => params?.progress === 2);
    await peer.request(...called('trigger-long-running-operation', { duration: 0.2, steps: 2 }), { progress: true });
    expect(await steps).toMatchObject({ method: 'notifications/progress' });
    await peer.request(...called('trigger-sampling-request', { prompt: 'live', maxTokens: 5 }));
    await peer.close();
    const questions = peer.heard.messages.filter(({ id }) => id !== undefined);
    expect(questions.filter(({ method }) => method === 'sampling/createMessage')).toHaveLength(2);
    expect(questions.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    const asked = said(file).filter(([, what]) => (what as WireMessage)?.method === 'sampling/createMessage');
    expect(asked).toHaveLength(2);
    expect(await verified(file, everything)).toEqual(GREEN);
  });
});

describe('an id that the server makes up', () => {
  it('is sent as the live one, and comes back as the recorded one', async () => {
    const server: Command = { command: process.execPath, args: ['-e', OPENS] };
    const [cassette, file] = [newFile(), newFile()];
    const client = await connectSdk1(recorded(cassette, server));
    await client.request(...called('open'));
    await client.close();

    const ignore = ['--ignore-pattern', 'sess-\\w+'];
    const peer = await connectSdk1(along(answerTo(cassette, 'open'), file, server, ...ignore));
    const opened = (await peer.request(...called('open'))) as { content: { text: string }[] };
    const [session] = /sess-\w+/.exec(opened.content[0]!.text)!;
    expect(readFileSync(cassette, 'utf8')).toContain(session);
    expect(await peer.request(...called('read', { session }))).toMatchObject({ content: [{ text: 'three notes' }] });
    expect(await peer.request(...called('open'))).toMatchObject({
      content: [{ text: expect.stringContaining(`Session ${session} is open.`) }],
    });
    await peer.close();
    // The new cassette has the live id alone.
    expect(readFileSync(file, 'utf8')).not.toContain(session);
    expect(await verified(file, server, ...ignore)).toEqual(GREEN);
  });
});

describe('a token that the server makes up, and that is redacted,', () => {
  it('is sent as the live one without a variable, by verify and after a fork', async () => {
    const script = OPENS.replace(
      "'sess-' + require('crypto').randomBytes(6)",
      "'ghp_' + require('crypto').randomBytes(18)",
    );
    const server: Command = { command: process.execPath, args: ['-e', script.replace(" API key: ghp_' + '", "' + '")] };
    const [cassette, file] = [newFile(), newFile()];
    const client = await connectSdk1(recorded(cassette, server));
    const opened = (await client.request(...called('open'))) as { content: { text: string }[] };
    const [session] = /ghp_\w{36}/.exec(opened.content[0]!.text)!;
    expect(await client.request(...called('read', { session }))).toMatchObject({ content: [{ text: 'three notes' }] });
    await client.close();
    const PLACEHOLDER = '[redacted:github-token:1]';
    const text = readFileSync(cassette, 'utf8');
    expect([text.includes(session), text.split(PLACEHOLDER)]).toEqual([false, expect.objectContaining({ length: 3 })]);
    expect(await verified(cassette, server)).toEqual(GREEN);

    const peer = await connectSdk1(along(answerTo(cassette, 'open'), file, server));
    expect(JSON.stringify(await peer.request(...called('open')))).toContain(PLACEHOLDER);
    expect(await peer.request(...called('read', { session: PLACEHOLDER }))).toMatchObject({
      content: [{ text: 'three notes' }],
    });
    await peer.close();
    expect(await verified(file, server)).toEqual(GREEN);
  });
});

describe('a session of 2026-07-28', () => {
  const modern: Command = { command: process.execPath, args: [join(root, 'test', 'e2e', 'servers', 'modern.js')] };
  const pinned: Connect = (command) => connectClient2(command, { pin: '2026-07-28' });

  it('goes on without a handshake, and its subscription stays', async () => {
    const [cassette, file] = [newFile(), newFile()];
    const before = await pinned(recorded(cassette, modern));
    await before.request(...called('add', { a: 1, b: 2 }));
    await before.close();
    const peer = await pinned(along(answerTo(cassette, 'add'), file, modern));
    expect(await peer.request(...called('add', { a: 1, b: 2 }))).toMatchObject({ content: [{ text: '3' }] });
    expect(await peer.request(...called('add', { a: 3, b: 4 }))).toMatchObject({ content: [{ text: '7' }] });
    await peer.request(...called('count', { to: 2 }), { progress: true });
    await peer.close();
    const calls = requestsOf(file).filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ params }) => params?.arguments)).toEqual([{ a: 1, b: 2 }, { a: 3, b: 4 }, { to: 2 }]);
    expect(await verified(file, modern)).toEqual(GREEN);
  });

  it('of a client over HTTP goes on, too', async () => {
    const [cassette, file] = [newFile(), newFile()];
    const before = await pinned(recorded(cassette, modern));
    await before.request(...called('add', { a: 1, b: 2 }));
    await before.close();
    await using fork = await listening(along(answerTo(cassette, 'add'), file, modern, '--listen', '127.0.0.1:0'));
    const peer = await modern2(fork.url);
    await peer.request(...called('add', { a: 1, b: 2 }));
    await peer.request(...called('count', { to: 2 }), { progress: true });
    await peer.close();
    expect(await fork.stop()).toMatchObject({ status: 0 });
    const calls = requestsOf(file).filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ params }) => params?.arguments)).toEqual([{ a: 1, b: 2 }, { to: 2 }]);
    expect(await verified(file, modern)).toEqual(GREEN);
  });
});

const listening = (command: Command) =>
  listen(command, (line) => /listening on (\S+) for \S+: waiting for its first client/.exec(line)?.[1]);

describe('over HTTP', () => {
  it('a client and a server have the state of the line', async () => {
    const server = program('@modelcontextprotocol/server-everything', 'dist/index.js', 'streamableHttp');
    await using upstream = await serve(server, '/mcp');
    const [cassette, file] = [newFile(), newFile()];
    const before = await connectSdk1(mcpRecord('record', '-o', cassette, '--stdio', '--http', upstream.url.href));
    await before.request(...called('echo', { message: 'recorded' }));
    await before.close();
    const place = answerTo(cassette, 'echo');
    const words = ['--with-client', '--listen', '127.0.0.1:0', '--http', upstream.url.href, place];
    await using fork = await listening(mcpRecord('fork', '-o', file, ...words));
    const peer = await streamable1(fork.url);
    expect(await peer.request(...called('echo', { message: 'recorded' }))).toMatchObject({
      content: [{ text: 'Echo: recorded' }],
    });
    const steps = peer.heard.next(({ params }) => params?.progress === 2);
    await peer.request(...called('trigger-long-running-operation', { duration: 0.2, steps: 2 }), { progress: true });
    expect(await steps).toMatchObject({ method: 'notifications/progress' });
    await peer.request(...called('trigger-sampling-request', { prompt: 'live', maxTokens: 5 }));
    await peer.close();
    // The client has deleted its session.
    expect(await fork.ended).toMatchObject({ status: 0 });
    const names = requestsOf(file).map(({ method, params }) => params?.name ?? method);
    expect(names).toEqual(['initialize', 'echo', 'trigger-long-running-operation', 'trigger-sampling-request']);
    const { status, stdout } = await run(mcpRecord('verify', file, '--http', upstream.url.href));
    expect([status, stdout.toString()]).toEqual(GREEN);
  });

  it('a client that begins after the line goes on with a server over stdio, and a second client is refused', async () => {
    const [file, server] = [newFile(), memory()];
    const place = answerTo(memoryCassette, 'create_entities');
    await using fork = await listening(forked(place, file, server, '--listen', '127.0.0.1:0'));
    const peer = await streamable1(fork.url);
    expect(await peer.request(...called('read_graph'))).toMatchObject({
      structuredContent: { entities: [{ name: 'Ada' }, { name: 'Charles' }] },
    });
    await expect(streamable1(fork.url)).rejects.toThrow('A fork has one client, and another one has begun.');
    await peer.close();
    expect(await fork.ended).toMatchObject({ status: 0 });
    expect(await verified(file, memory())).toEqual(GREEN);
  });
});

const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'live', version: '1' } };
const lines = (...messages: object[]) =>
  messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
const greeting = lines({ id: 0, method: 'initialize', params: hello }, { method: 'notifications/initialized' });
const place = answerTo(memoryCassette, 'create_entities');
const recordedCalls = callsUpTo(place).map(([method, params], n) => ({ id: n + 1, method, params }));
const reading = { id: 8, method: 'tools/call', params: { name: 'read_graph', arguments: {} } };

/** Answers on standard output, by id. */
function answered(stdout: Buffer): Record<string, WireMessage> {
  const messages = stdout.toString().trimEnd().split('\n');
  return Object.fromEntries(messages.map((line) => JSON.parse(line)).map((message) => [message.id, message]));
}

describe('a client', () => {
  it('that makes another call before the line is told so, with the nearest recorded one', async () => {
    const file = newFile();
    const call = { id: 1, method: 'tools/call', params: { name: 'create_entities', arguments: { entities: [] } } };
    const { status, stderr, stdout } = await run(along(place, file, memory()), greeting + lines(call, reading));
    expect(status).toBe(1);
    expect(stderr).toContain('Cannot answer tools/call "create_entities": no recorded call matches. Closest:');
    expect(stderr).toContain(
      `${memoryCassette}:551 tools/call "create_entities" differs at /params/arguments/entities`,
    );
    const advice =
      'Add --on-difference report to the fork, so that the live server answers from the first such call on. Ignore only what differs in every run: ';
    expect(stderr).toContain(advice);
    expect(stderr).toContain(`It has not sent tools/call "create_entities" (${memoryCassette}:551)`);
    expect(stderr).toContain('[FORK_CLIENT_BEHIND]');
    expect(answered(stdout)).toMatchObject({ 1: { error: {} }, 8: { error: {} } });
    // The client gets the same advice.
    expect(stdout.toString()).toContain(`"next":"${advice}`);
    expect(`${stdout}${stderr}`).not.toContain('Record the session again');
  });

  it('that makes another call goes on from there with --on-difference report', async () => {
    const file = newFile();
    const call = { id: 1, method: 'tools/call', params: { name: 'create_entities', arguments: { entities: [] } } };
    const options = ['--on-difference', 'report'];
    const { status, stderr, stdout } = await run(
      along(place, file, memory(), ...options),
      greeting + lines(call, reading),
    );
    expect(status).toBe(0);
    expect(stderr).toContain('no recorded call matches. Closest:');
    expect(stderr).toContain('The live server goes on.');
    expect(answered(stdout)).toMatchObject({ 8: { result: {} } });
    expect(await verified(file, memory())).toEqual(GREEN);
  });

  it('that ends before the line fails the fork, which names what is missing', async () => {
    const { status, stderr } = await run(along(place, newFile(), memory()), greeting);
    expect(status).toBe(1);
    expect(stderr).toContain(
      `the client ended before this line. It has not sent tools/call "create_entities" (${memoryCassette}:551)`,
    );
    expect(stderr).toContain('[FORK_CLIENT_BEHIND]');
  });

  it('may leave out lists, which is noted, and may send more of them', async () => {
    const more = [1, 2].map((n) => ({ id: `list ${n}`, method: 'resources/list' }));
    const { status, stderr, stdout } = await run(
      along(place, newFile(), memory()),
      greeting + lines(...more, ...recordedCalls, reading),
    );
    expect([status, stderr]).toEqual([0, expect.stringContaining('note: it did not send tools/list (')]);
    expect(answered(stdout)).toMatchObject({ 8: { result: {} } });
  });

  it('without --with-client that makes the recorded calls is told of the option', async () => {
    const { status, stderr } = await run(forked(place, newFile(), memory()), greeting + lines(...recordedCalls));
    expect([status, stderr]).toEqual([0, expect.stringContaining('--with-client')]);
  });
});

describe('a server', () => {
  it('that answers otherwise stops the fork while the client is still before the line', async () => {
    const server = memory();
    await run(forked(place, newFile(), server), greeting);
    const { status, stderr } = await run(along(place, newFile(), server), greeting + lines(...recordedCalls, reading));
    expect(status).toBe(1);
    expect(stderr).toContain(`(${memoryCassette}:551)`);
    expect(stderr).toContain('[FORK_DIFFERS]');
    expect(stderr).not.toContain('[FORK_CLIENT_BEHIND]');
  });

  it('that ends in the prefix is told, with its last words', async () => {
    const command = along(place, newFile(), fixture('exits-early.js', '3'));
    const { status, stderr } = await run(command, greeting + lines(...recordedCalls, reading));
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('crashed: the server exited with 3 before it answered'),
    ]);
    expect(stderr).toContain('[FORK_DIFFERS]');
  });
});

describe('a line', () => {
  it.each([
    ['after the end of the file', `${memoryCassette}:834`, 'the file has 833 lines. [USAGE_BAD_LINES]'],
    ['in the middle of a call', `${memoryCassette}:608`, `Name ${memoryCassette}:614 to play it whole.`],
  ])('%s is an error, and nothing is started', async (_name, place, words) => {
    const ended = await run(along(place, newFile(), memory()), greeting);
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});
