import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { freeNames, said, temporaryFolder } from '../../support/cassette.ts';
import { type Command, everything, mcpRecord, program } from '../../support/command.ts';
import { Running, run } from '../../support/process.ts';
import { connectClient2 } from '../session/client-2.ts';
import type { Peer, WireMessage } from '../session/peer.ts';
import { connectSdk1 } from '../session/sdk-1.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = realpathSync(temporaryFolder());
const newFile = freeNames(folder);

type Connect = (command: Command) => Promise<Peer>;
const SDKS: [name: string, connect: Connect][] = [
  ['SDK 1', connectSdk1],
  ['SDK 2', connectClient2],
];

/** A server that a recorder starts again, and the ids of its processes so far. */
function restarting(file: string, { command, args, env }: Command, ...options: string[]) {
  const pids = newFile();
  writeFileSync(pids, '');
  const note = `import fs from 'node:fs'; fs.appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');`;
  const words = ['--import', `data:text/javascript,${encodeURIComponent(note)}`, ...args];
  const recorder = mcpRecord('record', '-o', file, ...options, '--', command, ...words);
  const ids = () => readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  return { command: { ...recorder, ...(env && { env }) }, ids, kill: () => process.kill(ids().at(-1)!, 'SIGKILL') };
}

const called = (name: string, args: object = {}) => ['tools/call', { name, arguments: args }] as const;
const isNamed = (name: string) => (message: WireMessage) => message.method === `notifications/${name}`;
const isChanged = isNamed('tools/list_changed');
const SUBSCRIBED = 'demo://resource/dynamic/text/1';

async function verified(file: string, { command, args, env }: Command, ...options: string[]) {
  const verify = mcpRecord('verify', ...options, file, '--', command, ...args);
  const { stdout, stderr, status } = await run({ ...verify, ...(env && { env }) });
  return { status, text: `${stdout}${stderr}` };
}

function stderrOf(file: string): string[] {
  return said(file).flatMap(([who, what]) => (who === 'stderr' ? [String(what)] : []));
}

describe.each(SDKS)('a client on %s whose server is killed', (_name, connect) => {
  it('gets an error for its call, and goes on with a new server that has its level and subscription', async () => {
    const file = newFile();
    const { command, ids, kill } = restarting(file, everything, '--restart-on', 'crash');
    const peer = await connect(command);
    await peer.request('logging/setLevel', { level: 'debug' });
    await peer.request('resources/subscribe', { uri: SUBSCRIBED });
    const works = peer.heard.next(isNamed('progress'));
    const long = peer.request(...called('trigger-long-running-operation', { duration: 600, steps: 1000 }), {
      progress: true,
    });
    const failed = expect(long).rejects.toThrow(
      'The server was restarted before it answered: the server was ended by SIGKILL.',
    );
    await works;
    const subscribedAgain = peer.heard.next(
      ({ params }) => JSON.stringify(params?.data)?.includes('Received Subscribe Resource request') ?? false,
    );
    const changed = peer.heard.next(isChanged);
    kill();
    await failed;
    expect(await peer.request(...called('echo', { message: 'again' }))).toMatchObject({
      content: [{ text: 'Echo: again' }],
    });
    await changed;
    await subscribedAgain;
    const updated = peer.heard.next(isNamed('resources/updated'));
    await peer.request(...called('toggle-subscriber-updates'));
    expect(await updated).toMatchObject({ params: { uri: SUBSCRIBED } });
    expect(ids()).toHaveLength(2);
    const late = peer.heard.messages.slice(peer.heard.messages.findLastIndex(isChanged)).filter(isNamed('progress'));
    expect(late).toEqual([]);
    await peer.close();

    expect(stderrOf(file)).toEqual(
      expect.arrayContaining([
        'mcp-record: The server was ended by SIGKILL. It is started again.',
        expect.stringContaining('initialize, notifications/initialized, logging/setLevel, resources/subscribe'),
      ]),
    );
    const cassette = loadCassette(file);
    expect([cassette.end, cassette.warnings]).toEqual(['complete', []]);
    const optional = cassette.events.filter(({ match }) => match?.optional);
    const sent = optional.map(({ frame }) => (frame.kind === 'message' ? (frame.json.value as WireMessage) : {}));
    expect(sent[0]).toMatchObject({ error: { code: -32000 } });
    expect(sent.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['tools', 'prompts', 'resources'].map((name) => `notifications/${name}/list_changed`)),
    );

    const replay = await connect(mcpRecord('replay', file));
    await replay.request('logging/setLevel', { level: 'debug' });
    await replay.request('resources/subscribe', { uri: SUBSCRIBED });
    const again = replay.request(...called('trigger-long-running-operation', { duration: 600, steps: 1000 }), {
      progress: true,
    });
    await expect(again).rejects.toThrow('The server was restarted before it answered');
    const [echoed] = await Promise.all([
      replay.request(...called('echo', { message: 'again' })),
      replay.heard.next(isChanged),
    ]);
    expect(echoed).toMatchObject({ content: [{ text: 'Echo: again' }] });
    await replay.close();
  });

  it.each([
    [
      'memory',
      () => ({
        ...program('@modelcontextprotocol/server-memory', 'dist/index.js'),
        env: { MEMORY_FILE_PATH: `${newFile()}.jsonl` },
      }),
      called('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes'] }] }),
      called('read_graph'),
      'Ada',
    ],
    [
      'filesystem',
      () => program('@modelcontextprotocol/server-filesystem', 'dist/index.js', folder),
      called('write_file', { path: join(folder, 'note.txt'), content: 'one' }),
      called('list_allowed_directories'),
      'Allowed directories',
    ],
  ] as const)('goes on with the %s server, and the session verifies', async (_server, server, first, second, text) => {
    const file = newFile();
    const own = server();
    const { command, ids, kill } = restarting(file, own, '--restart-on', 'crash');
    const peer = await connect(command);
    await peer.request(...first);
    const changed = peer.heard.next(isChanged);
    kill();
    await changed;
    expect(JSON.stringify(await peer.request(...second))).toContain(text);
    await peer.close();
    expect(ids()).toHaveLength(2);
    const { status, text: report } = await verified(file, server());
    expect(report).toMatch(/- notifications\/tools\/list_changed +line \d+ +may be left out, and did not come/);
    expect([status, report]).toEqual([0, expect.stringMatching(/\n3 passed, \d skipped/)]);
  });
});

/** A server of the SDK with these tools. */
function serverWith(file: string, ...tools: string[]): void {
  const sdk = (path: string) =>
    JSON.stringify(pathToFileURL(join(root, 'node_modules', '@modelcontextprotocol', 'sdk', 'dist', 'esm', path)).href);
  const lines = tools.map(
    (name) => `server.registerTool('${name}', {}, () => ({ content: [{ type: 'text', text: '${name}' }] }));`,
  );
  const text = [
    `import { McpServer } from ${sdk('server/mcp.js')};`,
    `import { StdioServerTransport } from ${sdk('server/stdio.js')};`,
    "const server = new McpServer({ name: 'edited', version: '1.0.0' });",
    ...lines,
    "server.registerTool('waits', {}, () => new Promise(() => setInterval(() => {}, 1000)));",
    'await server.connect(new StdioServerTransport());',
  ];
  writeFileSync(file, `${text.join('\n')}\n`);
}

describe.each(SDKS)('a client on %s whose server is edited', (_name, connect) => {
  it('hears that the tools have changed, and calls the new one; a mistake in between ends nothing', async () => {
    const file = newFile();
    const script = join(folder, `edited-${newFile().replaceAll(/\W/g, '')}.mjs`);
    serverWith(script, 'one');
    const server: Command = { command: process.execPath, args: [script] };
    const peer = await connect(mcpRecord('record', '-o', file, '--restart-on', 'change', '--', server.command, script));
    const waits = expect(peer.request(...called('waits'))).rejects.toThrow(/edited-.*mjs has changed/);
    const changed = peer.heard.next(isChanged);
    serverWith(script, 'one', 'two');
    await waits;
    await changed;
    expect(await peer.request(...called('two'))).toMatchObject({ content: [{ text: 'two' }] });

    const broken = expect(peer.request(...called('waits'))).rejects.toThrow('mjs has changed');
    writeFileSync(script, 'this is no JavaScript');
    await broken;
    await expect(peer.request(...called('one'))).rejects.toThrow(/The server (?:is not running|has ended)/);
    const repaired = peer.heard.next(isChanged);
    serverWith(script, 'one');
    await repaired;
    expect(await peer.request(...called('one'))).toMatchObject({ content: [{ text: 'one' }] });
    await peer.close();
    expect(stderrOf(file)).toContainEqual(
      'mcp-record: The server exited with 1. It is started again when a watched file changes.',
    );
    // The last server has no tool "two": what an earlier one answered is compared, and differs.
    const { status, text } = await verified(file, server);
    expect([status, text]).toEqual([1, expect.stringContaining('tools/call "two"')]);
  });
});

describe('a session of 2026-07-28', () => {
  it('has no opening: its subscription to lists and its next call go to the new server', async () => {
    const file = newFile();
    const modern: Command = { command: process.execPath, args: [join(root, 'test', 'e2e', 'servers', 'modern.js')] };
    const { command, ids, kill } = restarting(file, modern, '--restart-on', 'crash');
    const peer = await connectClient2(command, { pin: '2026-07-28' });
    expect(await peer.request(...called('add', { a: 1, b: 2 }))).toMatchObject({ content: [{ text: '3' }] });
    const begun = peer.heard.next(isNamed('progress'));
    const waits = expect(peer.request(...called('waits'), { progress: true })).rejects.toThrow('was restarted');
    await begun;
    const before = ids().length;
    kill();
    await waits;
    expect(await peer.request(...called('add', { a: 3, b: 4 }))).toMatchObject({ content: [{ text: '7' }] });
    await peer.close();
    expect(ids()).toHaveLength(before + 1);
    expect(stderrOf(file)).toContainEqual(expect.stringContaining('it has not subscribed to that'));
    const { status, text } = await verified(file, modern);
    expect(text).toMatch(/- tools\/call "waits" +line \d+ +is not compared: the answer in the cassette is optional/);
    expect(status).toBe(0);
  });
});

describe('a server that keeps crashing', () => {
  it('at its start is given up, with an error that has a code', async () => {
    const file = newFile();
    const server = mcpRecord(
      ...['record', '-o', file, '--restart-on', 'crash', '--', process.execPath, '-e'],
      'console.error("no port"); process.exitCode = 3',
    );
    const opening = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\n';
    const { stdout, stderr, status } = await runOpen(server, opening);
    expect(status).toBe(3);
    expect(stderr).toContain('[SERVER_KEEPS_CRASHING]');
    expect(stderr.match(/no port/g)).toHaveLength(6);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      id: 0,
      error: { code: -32000, message: 'The server has ended: the server exited with 3.' },
    });
    const cassette = loadCassette(file);
    expect([cassette.end, cassette.events.at(-1)!.frame]).toMatchObject(['complete', { kind: 'exit', status: 3 }]);
  });

  it('with status 0 does not end with 0', async () => {
    const server = mcpRecord('record', '-o', newFile(), '--restart-on', 'crash', '--', process.execPath, '-e', '0');
    expect((await runOpen(server, '')).status).toBe(1);
  });
});

/** Runs a command whose input stays open until it ends. */
async function runOpen(command: Command, input: string) {
  await using running = new Running(command).read();
  running.child.stdin.write(input);
  return await running.ended;
}
