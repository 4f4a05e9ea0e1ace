import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import { serve } from '../../../e2e/http/processes.ts';
import { connectClient2 } from '../../../e2e/session/client-2.ts';
import type { Peer, WireMessage } from '../../../e2e/session/peer.ts';
import { connectSdk1 } from '../../../e2e/session/sdk-1.ts';
import { freeNames, holds, said } from '../../../support/cassette.ts';
import { type Command, everything, mcpRecord, program, recorded } from '../../../support/command.ts';
import { fixture, Running, run } from '../../../support/process.ts';
import { answerTo, called, folder, forked, GREEN, memory, OPENS, requestsOf, verified } from './forks.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const memoryCassette = join(root, 'cassettes', 'memory.yaml');
const newFile = freeNames(folder);
let folders = 0;

type Connect = (command: Command) => Promise<Peer>;
const SDKS: [name: string, connect: Connect][] = [
  ['SDK 1', connectSdk1],
  ['SDK 2', connectClient2],
  ['SDK 2 that asks for the revision first, in a process of its own', (command) => connectClient2(command, 'auto')],
];

describe('an id that the server makes up beside a secret', () => {
  it('is sent back in the prefix, with options before or after the place', async () => {
    const server: Command = { command: process.execPath, args: ['-e', OPENS] };
    const [cassette, file] = [newFile(), newFile()];
    const client = await connectSdk1(recorded(cassette, server));
    const opened = (await client.request(...called('open'))) as { content: { text: string }[] };
    const [session] = /sess-\w+/.exec(opened.content[0]!.text)!;
    await client.request(...called('read', { session }));
    await client.close();
    expect(readFileSync(cassette, 'utf8')).not.toContain('ghp_');

    const place = answerTo(cassette, 'read');
    const words = ['-o', file, place, '--ignore-pattern', 'sess-\\w+', '--', server.command, ...server.args];
    const peer = await connectSdk1(mcpRecord('fork', ...words));
    expect(await peer.request(...called('read', { session }))).toMatchObject({
      content: [{ text: 'no such session' }],
    });
    await peer.close();
    expect(readFileSync(file, 'utf8')).toContain('three notes');
  });
});

describe.each(SDKS)('a live client on %s', (_name, connect) => {
  it('goes on with the memory of the prefix, and both futures are in the new cassette', async () => {
    const file = newFile();
    const peer = await connect(forked(answerTo(memoryCassette, 'add_observations'), file, memory()));
    expect(peer.opened.server).toMatchObject({ name: 'memory-server' });
    const graph = await peer.request(...called('read_graph'), { progress: true });
    await peer.request(...called('delete_entities', { entityNames: ['Ada'] }));
    await peer.close();
    expect(graph).toMatchObject({ structuredContent: { entities: [{ name: 'Ada' }, { name: 'Charles' }] } });

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
    const optional = loadCassette(file).events.filter(({ match }) => match?.optional);
    const names = optional.map(({ frame }) => frame.kind === 'message' && (frame.json.value as WireMessage));
    expect(names.map((message) => message && (message.params?.name ?? message.method))).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'create_entities',
      'create_relations',
      'add_observations',
    ]);
    expect(await verified(file, memory())).toEqual(GREEN);
    const replay = await connect(mcpRecord('replay', file));
    expect(await replay.request(...called('read_graph'))).toEqual(graph);
    await replay.close();
  });

  it('reads the file that the prefix has written', async () => {
    const files = join(folder, `files-${folders++}`);
    mkdirSync(files);
    const server = program('@modelcontextprotocol/server-filesystem', 'dist/index.js', files);
    const [cassette, file, path] = [newFile(), newFile(), join(files, 'note.txt')];
    const roots = [{ uri: `file://${files}`, name: 'files' }];
    const writer = await connectSdk1(recorded(cassette, server), { roots });
    await writer.request(...called('write_file', { path, content: 'one\n' }));
    await writer.request(...called('write_file', { path, content: 'two\n' }));
    await writer.close();
    rmSync(path);

    const peer = await connect(forked(answerTo(cassette, 'write_file'), file, server));
    const read = await peer.request(...called('read_text_file', { path }));
    await peer.close();
    expect(read).toMatchObject({ content: [{ text: 'one\n' }] });
    rmSync(path);
    expect(await verified(file, server)).toEqual(GREEN);
  });

  it('answers the questions of the server, as the recorded client has answered those of the prefix', async () => {
    const cassette = join(root, 'cassettes', 'everything.yaml');
    const file = newFile();
    const ignore = ['--ignore', '/result/contents/*/text'];
    const place = answerTo(cassette, 'trigger-elicitation-request');
    const peer = await connect(forked(place, file, everything, ...ignore));
    const steps = peer.heard.next(({ params }) => params?.progress === 2);
    await peer.request(...called('trigger-long-running-operation', { duration: 0.2, steps: 2 }), { progress: true });
    expect(await steps).toMatchObject({ method: 'notifications/progress' });
    const sampled = await peer.request(...called('trigger-sampling-request', { prompt: 'live', maxTokens: 5 }));
    expect(JSON.stringify(sampled)).toContain('demo-model');
    expect(peer.heard.messages.filter(({ method }) => method === 'sampling/createMessage')).toHaveLength(1);
    await peer.close();
    const asked = said(file).filter(([, what]) => (what as WireMessage)?.method === 'sampling/createMessage');
    expect(asked).toHaveLength(2);
    expect(await verified(file, everything, ...ignore)).toEqual(GREEN);
  });
});

describe('a session of 2026-07-28', () => {
  const modern: Command = { command: process.execPath, args: [join(root, 'test', 'e2e', 'servers', 'modern.js')] };
  const pinned: Connect = (command) => connectClient2(command, { pin: '2026-07-28' });

  it('goes on without a handshake', async () => {
    const [cassette, file] = [newFile(), newFile()];
    const before = await pinned(recorded(cassette, modern));
    await before.request(...called('add', { a: 1, b: 2 }));
    await before.request(...called('add', { a: 5, b: 6 }));
    await before.close();
    const peer = await pinned(forked(answerTo(cassette, 'add'), file, modern));
    expect(await peer.request(...called('add', { a: 3, b: 4 }))).toMatchObject({ content: [{ text: '7' }] });
    await peer.request(...called('count', { to: 2 }), { progress: true });
    await peer.close();
    const calls = requestsOf(file).filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ params }) => params?.arguments)).toEqual([{ a: 1, b: 2 }, { a: 3, b: 4 }, { to: 2 }]);
    expect(await verified(file, modern)).toEqual(GREEN);
  });
});

describe('a server over HTTP', () => {
  it('has the state of the prefix', async () => {
    const server = program('@modelcontextprotocol/server-everything', 'dist/index.js', 'streamableHttp');
    await using listening = await serve(server, '/mcp');
    const [cassette, file] = [newFile(), newFile()];
    const client = (output: string, ...words: string[]) =>
      connectSdk1(mcpRecord(words[0]!, '-o', output, ...words.slice(1)));
    const before = await client(cassette, 'record', '--stdio', '--http', listening.url.href);
    await before.request(...called('echo', { message: 'recorded' }));
    await before.close();
    const peer = await client(file, 'fork', '--http', listening.url.href, answerTo(cassette, 'echo'));
    expect(await peer.request(...called('echo', { message: 'live' }))).toMatchObject({
      content: [{ text: 'Echo: live' }],
    });
    await peer.close();
    const messages = requestsOf(file).map(
      ({ method, params }) => (params?.arguments as { message?: string })?.message ?? method,
    );
    expect(messages).toEqual(['initialize', 'recorded', 'live']);
  });
});

/** A live client in a few lines. */
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'live', version: '1' } };
const lines = (...messages: object[]) =>
  messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
const greeting = lines({ id: 0, method: 'initialize', params: hello }, { method: 'notifications/initialized' });
const reading = lines({ id: 1, method: 'tools/call', params: { name: 'read_graph', arguments: {} } });
const observations = () => answerTo(memoryCassette, 'add_observations');

describe('a line', () => {
  it.each([
    ['none', memoryCassette, 2, 'it has no line, or none that is a number. [USAGE_BAD_LINES]'],
    ['that is no number', `${memoryCassette}:first`, 2, 'it has no line, or none that is a number. [USAGE_BAD_LINES]'],
    ['0', `${memoryCassette}:0`, 2, 'the file has 833 lines. [USAGE_BAD_LINES]'],
    ['after the end of the file', `${memoryCassette}:834`, 2, 'the file has 833 lines. [USAGE_BAD_LINES]'],
    [
      'before the first message',
      `${memoryCassette}:5`,
      2,
      'its client sends its first request later, at line 7. [USAGE_BAD_LINES]',
    ],
    [
      'after the server has ended',
      `${memoryCassette}:832`,
      2,
      'the session has ended before, at line 830. [USAGE_BAD_LINES]',
    ],
    ['of a file that is not there', `${memoryCassette}.gone:7`, 2, '[CASSETTE_NOT_FOUND]'],
    [
      'in the middle of a call',
      `${memoryCassette}:608`,
      2,
      `Name ${memoryCassette}:614 to play it whole. Name ${memoryCassette}:568 to stop before it.`,
    ],
    ['of the first request', `${memoryCassette}:7`, 2, `Name ${memoryCassette}:25 to play it whole.\n`],
  ])('%s is an error, and nothing is started', async (_name, place, status, words) => {
    const file = newFile();
    const ended = await run(forked(place, file, memory()), greeting);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(words)]);
    expect(existsSync(file)).toBe(false);
  });

  it('of a cassette without a client is an error', async () => {
    const file = newFile();
    writeFileSync(
      file,
      'format: mcp-record/1\nevents:\n- server: { method: notifications/message, params: { level: info, data: hi } }\n',
    );
    const { status, stderr } = await run(forked(`${file}:3`, newFile(), memory()), greeting);
    expect([status, stderr]).toEqual([2, expect.stringContaining('it has no request of a client')]);
  });
});

describe('a server', () => {
  it('with compatible changes passes, which are noted, and one with breaking changes does not', async () => {
    const program = join(folder, 'lists.cjs');
    writeFileSync(
      program,
      `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const tools = process.argv.slice(2).map((name) => ({ name, inputSchema: { type: 'object' } }));
        const hello = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'it', version: '1' } };
        const result = method === 'initialize' ? hello : { tools };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });`,
    );
    const server = (...tools: string[]): Command => ({ command: process.execPath, args: [program, ...tools] });
    const cassette = newFile();
    const client = await connectSdk1(recorded(cassette, server('add', 'sub')));
    await client.request('tools/list');
    await client.close();
    const line = loadCassette(cassette).events.findLast(({ frame }) => frame.kind === 'message')!.line;
    const onto = (...tools: string[]) => run(forked(`${cassette}:${line}`, newFile(), server(...tools)), greeting);
    const [more, fewer] = [await onto('add', 'sub', 'mul'), await onto('add')];
    expect([more.status, more.stderr]).toEqual([0, expect.stringContaining('note: fork does not fail tools/list: ')]);
    expect(more.stderr).toContain('The live client goes on.');
    expect([fewer.status, fewer.stderr]).toEqual([1, expect.stringContaining('tool "sub"')]);
    expect(fewer.stderr).toContain('[FORK_DIFFERS]');
  });

  it('that cannot start ends the fork as it ends a recorder', async () => {
    const file = newFile();
    const { status, stderr } = await run(
      forked(observations(), file, { command: 'no-such-program', args: [] }),
      greeting,
    );
    expect([status, stderr]).toEqual([127, expect.stringContaining('[COMMAND_NOT_FOUND]')]);
    expect(stderr).not.toContain('FORK_DIFFERS');
  });

  it('that ends in the prefix is told, with its last words', async () => {
    const { status, stderr, stdout } = await run(
      forked(observations(), newFile(), fixture('exits-early.js', '3')),
      greeting,
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('crashed: the server exited with 3 before it answered'),
    ]);
    expect(stderr).toContain('[FORK_DIFFERS]');
    expect(stdout.toString()).toBe('');
  });

  it('that answers otherwise stops the fork, with the lines that differ', async () => {
    const server = memory();
    await run(forked(observations(), newFile(), server), greeting);
    const { status, stderr, stdout } = await run(forked(observations(), newFile(), server), greeting + reading);
    expect(status).toBe(1);
    expect(stderr).toContain(`(${memoryCassette}:551)`);
    expect(stderr).toContain('[FORK_DIFFERS]');
    expect(stdout.toString()).toBe('');
  });

  it('that answers otherwise is gone on with on demand', async () => {
    const server = memory();
    await run(forked(observations(), newFile(), server), greeting);
    const report = forked(observations(), newFile(), server, '--on-difference', 'report');
    const { status, stderr, stdout } = await run(report, greeting + reading);
    expect(status).toBe(0);
    expect(stderr).toContain(`(${memoryCassette}:551)`);
    expect(stdout.toString().trim().split('\n')).toHaveLength(2);
  });

  it('gives its exit status to the fork', async () => {
    const cassette = newFile();
    const ends =
      "require('readline').createInterface({ input: process.stdin }).on('line', (line) => { const { id } = JSON.parse(line); console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} })); }).on('close', () => process.exit(7))";
    const server: Command = { command: process.execPath, args: ['-e', ends] };
    await run(
      mcpRecord('record', '-o', cassette, '--', server.command, ...server.args),
      lines({ id: 1, method: 'ping' }),
    );
    const place = `${cassette}:${loadCassette(cassette).events.find(({ frame }) => frame.from === 'server')!.line}`;
    const { status, stderr } = await run(forked(place, newFile(), server), lines({ id: 1, method: 'ping' }));
    expect([status, stderr]).toEqual([7, expect.stringContaining('The live client goes on.')]);
  });
});

describe('the live client', () => {
  it('that begins with a call is passed on, and told', async () => {
    const { status, stderr, stdout } = await run(forked(observations(), newFile(), memory()), reading);
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('The live client sent tools/call before initialize.'),
    ]);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      id: 1,
      result: { structuredContent: { entities: [{}, {}] } },
    });
  });

  it('that never speaks starts nothing but the server', async () => {
    const { status, stderr } = await run(forked(observations(), newFile(), memory()));
    expect(status).toBe(0);
    expect(stderr).not.toContain('Played');
  });

  it('that sends a signal in the prefix ends the server', async () => {
    const silent: Command = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
    const file = newFile();
    await using fork = new Running(forked(observations(), file, silent)).read();
    fork.child.stdin.write(greeting);
    await holds(file, 'initialize');
    fork.signal('SIGTERM');
    const { status, signal, stderr } = await fork.ended;
    expect([status ?? signal, stderr]).toEqual([143, expect.not.stringContaining('FORK_DIFFERS')]);
  });
});

describe('the new cassette', () => {
  it('never replaces another one', async () => {
    const file = newFile();
    writeFileSync(file, 'kept');
    const { status, stderr } = await run(forked(observations(), file, memory()), greeting + reading);
    expect([status, stderr]).toEqual([0, expect.stringContaining('exists and is kept: recording to')]);
    expect(readFileSync(file, 'utf8')).toBe('kept');
    expect(requestsOf(file.replace('.yaml', '-2.yaml')).at(-1)).toMatchObject({ params: { name: 'read_graph' } });
  });

  it('may not be left out', async () => {
    const { status, stderr } = await run(mcpRecord('fork', observations(), '--', 'node'), greeting);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--output')]);
  });
});

describe('options', () => {
  it.each([
    ['an unknown reaction', ['--on-difference', 'maybe'], '[USAGE_BAD_ON_DIFFERENCE]'],
    ['a header without a URL', ['--header', 'A: b'], '[USAGE_OPTION_WITHOUT_MEANING]'],
    ['a command and a URL', ['--http', 'http://127.0.0.1:1/mcp'], '[USAGE_ONE_SERVER]'],
    ['a bad time', ['--timeout', '0'], '[USAGE_BAD_TIME]'],
  ])('with %s are an error', async (_name, options, code) => {
    const { status, stderr } = await run(forked(observations(), newFile(), memory(), ...options), greeting);
    expect([status, stderr]).toEqual([2, expect.stringContaining(code)]);
  });
});

it('a server over HTTP that is not there, or whose certificates are not, is an error', async () => {
  const url = ['--http', 'http://127.0.0.1:9/mcp'];
  const gone = await run(mcpRecord('fork', '-o', newFile(), ...url, observations()), greeting);
  expect([gone.status, gone.stderr]).toEqual([126, expect.stringContaining('[HTTP_UPSTREAM_UNREACHABLE]')]);
  const ca = await run(mcpRecord('fork', '-o', newFile(), '--ca', 'gone.pem', ...url, observations()), greeting);
  expect([ca.status, ca.stderr]).toEqual([2, expect.stringContaining('[USAGE_BAD_CA]')]);
});

/** Its tool `order` makes up an id, which it returns in a text and as a value. */
const ORDERS = `
const id = 'ord_' + require('crypto').randomBytes(4).toString('hex') + '1a';
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id: request, method, params } = JSON.parse(line);
  if (request === undefined) return;
  if (method === 'initialize')
    return say({ id: request, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'orders', version: '1' } } });
  if (method !== 'tools/call') return say({ id: request, result: { tools: [] } });
  if (params.name === 'order') return say({ id: request, result: { content: [{ type: 'text', text: 'Order ' + id }], structuredContent: { id, at: new Date().toISOString() } } });
  say({ id: request, result: { content: [{ type: 'text', text: params.arguments.id === id ? 'tea' : 'no such order' }] } });
});`;

describe('a server that makes up an id', () => {
  const cassette = newFile();
  writeFileSync(
    cassette,
    `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: 2025-11-25, capabilities: {}, clientInfo: { name: app, version: '1' } } }
- server: { id: 0, result: { protocolVersion: 2025-11-25, capabilities: { tools: {} }, serverInfo: { name: orders, version: '1' } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: order } }
- server: { id: 1, result: { content: [{ type: text, text: 'Order ord_8f3a61c0' }], structuredContent: { id: ord_8f3a61c0, at: '2026-01-01T00:00:00.000Z' } } }
- client: { id: 2, method: tools/call, params: { name: status, arguments: { id: ord_8f3a61c0 } } }
- server: { id: 2, result: { content: [{ type: text, text: tea }] } }
`,
  );
  const server: Command = { command: process.execPath, args: ['-e', ORDERS] };

  it('stops the fork, with the command that proposes what to leave out', async () => {
    const { status, stderr } = await run(forked(`${cassette}:7`, newFile(), server), greeting);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /hint: The differences look like .*: mcp-record verify --propose-ignores .* -- .*\n[\s\S]*FORK_DIFFERS/,
    );
  });

  it('fails a load once, however many sessions it has, with the same hint', async () => {
    const { command, args } = server;
    const load = mcpRecord('load', '--clients', '2', '--for', '1s', cassette, '--', command, ...args);
    const { status, stdout } = await run(load);
    const text = stdout.toString();
    expect(status).toBe(1);
    expect(text.match(/^✗ /gm)).toHaveLength(1);
    expect(text.match(/in place of/g)).toHaveLength(1);
    expect(text).toMatch(/\n\nhint: The differences look like .*: mcp-record verify --propose-ignores [\s\S]*\n$/);
  });
});

describe('rules beside the played events', () => {
  it('are in the new cassette, which can be verified, and the ids that they leave out are named', async () => {
    const [cassette, file] = [newFile(), newFile()];
    writeFileSync(
      cassette,
      `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: 2025-11-25, capabilities: {}, clientInfo: { name: app, version: '1' } } }
- server: { id: 0, result: { protocolVersion: 2025-11-25, capabilities: { tools: {} }, serverInfo: { name: orders, version: '1' } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: order } }
- server: { id: 1, result: { content: [{ type: text, text: 'Order ord_8f3a61c0' }], structuredContent: { id: ord_8f3a61c0, at: '2026-01-01T00:00:00.000Z' } } }
  match: { ignore: ['/Order \\S+/', /result/structuredContent/id, /result/structuredContent/at] }
- client: { id: 2, method: tools/call, params: { name: status, arguments: { id: ord_8f3a61c0 } } }
- server: { id: 2, result: { content: [{ type: text, text: tea }] } }
`,
    );
    const server: Command = { command: process.execPath, args: ['-e', ORDERS] };
    const fork = forked(`${cassette}:8`, file, server);
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'live', version: '1' } },
    };
    await using running = new Running(fork);
    running.child.stdin.write(`${JSON.stringify(initialize)}\n`);
    expect(await running.line()).toContain('orders');
    running.child.stdin.end();
    const { stderr } = await running.read().ended;
    const made = /Order (ord_\w+)/.exec(readFileSync(file, 'utf8'))?.[1];
    expect(made).toBeDefined();
    expect(stderr).toContain(
      `tools/call "order" (line 6) returned "${made}" in place of "ord_8f3a61c0", which a rule leaves out`,
    );
    expect(stderr).not.toContain('2026-01-01');
    expect(loadCassette(file).events.flatMap(({ match }) => (match?.ignore ? [match] : []))).toEqual([
      { ignore: ['/Order \\S+/', '/result/structuredContent/id', '/result/structuredContent/at'] },
    ]);
    expect(await verified(file, server)).toEqual(GREEN);
  });
});

it('starts its server without a -- before the command: the Inspector takes that for itself', async () => {
  const file = newFile();
  const { command, args, env } = memory();
  const peer = await connectSdk1({
    ...mcpRecord('fork', '-o', file, answerTo(memoryCassette, 'add_observations'), command, ...args),
    ...(env && { env }),
  });
  expect(peer.opened.server).toMatchObject({ name: 'memory-server' });
  await peer.close();
  const recordedToo = newFile();
  const client = await connectSdk1(mcpRecord('record', '-o', recordedToo, command, ...args));
  await client.close();
  expect(readFileSync(recordedToo, 'utf8')).toContain('memory-server');
});
