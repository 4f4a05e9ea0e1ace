import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WEATHER } from '../../mock/control/controlled.ts';
import { ask } from '../../mock/control/described-api.ts';
import { blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { eachOnPosix } from '../../support/on-posix.ts';
import { Running, run } from '../../support/process.ts';
import type { Peer, TransportLike } from '../session/peer.ts';
import { sdk1Over } from '../session/sdk-1.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const pages = ['control', 'control-tests', 'control-reference'].map((name) => {
  const path = `docs/${name}.md`;
  return { path, text: readFileSync(join(root, path), 'utf8') };
});
const page = pages.map(({ text }) => text).join('\n');
const blocks = pages.flatMap(({ path, text }) => blocksOf(path, text));
const folder = temporaryFolder();
/** The cassette of the pages, which has a call for Oslo only. */
const OSLO = WEATHER.replace(/^.*city: Rome[\s\S]*/m, '');
const WRITTEN = 'http://127.0.0.1:7357';

/** Each line of curl with what its page says that it prints. */
const lines = blocks
  .filter(({ language }) => language === 'console')
  .flatMap(({ text }) => [...text.matchAll(/^\$ (curl .*)\n([^$]*)/gm)])
  .map(([, line, output]) => ({ line: line!, output: output! }));

/** The first request for the findings: before it, the client asks for a city that the cassette does not have. */
const AFTER_MISS = lines.find(({ line }) => line.endsWith('/findings'));

/** Requests that need a connected client. */
const NEEDS_CLIENT = /7357\/(?:sessions\/expire|notify|request)\b/;
const roots = [{ uri: 'file:///srv/ada/weather-app', name: 'weather-app' }];

let server: Running;
let control: string;

async function connect(): Promise<Peer> {
  const { url } = (await ask(control, 'GET /health')).body;
  return sdk1Over(new StreamableHTTPClientTransport(new URL(url)) as TransportLike, { roots });
}

/** Starts the server of the pages, to which a client makes one call. */
beforeAll(async () => {
  writeFileSync(join(folder, 'weather.yaml'), OSLO);
  const replay = mcpRecord('replay', '--http', '--control', '127.0.0.1:0', 'weather.yaml');
  server = new Running({ ...replay, cwd: folder });
  const started = [await server.line(server.child.stderr), await server.line(server.child.stderr)];
  server.read();
  control = /http:\S+/.exec(started[0]!)![0];
  expect(started.join('\n')).toMatch(patternOf(/^\$ mcp-record.*\n((?:mcp-record: .*\n)+)/m.exec(page)![1]!));
  const client = await connect();
  await client.request('tools/call', { name: 'weather', arguments: { city: 'Oslo' } });
  await client.close();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('the pages of the control API', () => {
  it('has lines of curl', () => {
    expect(lines.length).toBeGreaterThan(10);
    expect(page.match(/^\$ curl/gm)).toHaveLength(lines.length);
  });

  eachOnPosix('shell', lines, '$line prints what it says', async (shown) => {
    const { line, output } = shown;
    if (shown === AFTER_MISS) await missCall();
    const command = { command: 'bash', args: ['-c', line.replace(WRITTEN, control)] };
    if (!NEEDS_CLIENT.test(line)) return expect(await printed(command)).toMatch(patternOf(output));
    await ask(control, 'POST /reset');
    const client = await connect();
    const stdout = await printed(command);
    await client.close();
    expect(stdout).toMatch(patternOf(output));
  });

  it('shows the fixture and tests of the example', () => {
    const example = (name: string) => readFileSync(join(root, 'examples', 'pytest', name), 'utf8');
    const shown = blocks.filter(({ language }) => language === 'python');
    expect(shown).toHaveLength(2);
    const [tests, fixture] = shown.map(({ text }) => text.trim());
    expect(fixture).toBe(`# conftest.py\n${example('conftest.py').trim()}`);
    const [imports, ...functions] = tests!.split(/\n{3,}/);
    expect(imports).toBe('# test_weather_app.py\nfrom weather_app import weather_of');
    expect(functions).toHaveLength(2);
    for (const text of functions) expect(example('test_weather_app.py')).toContain(text);
  });
});

/** Makes the call that the page names before its first findings. */
async function missCall(): Promise<void> {
  const client = await connect();
  await expect(client.request('tools/call', { name: 'weather', arguments: { city: 'Rome' } })).rejects.toThrow();
  await client.close();
}

/** Runs a line. It must not block: the client that it needs answers in this process. */
async function printed(command: Parameters<typeof run>[0]): Promise<string> {
  const { stdout, stderr } = await run(command);
  expect(stderr.toString()).toBe('');
  return stdout.toString();
}

/** What the page prints, with its port, and whatever stands for `…`. */
function patternOf(output: string): RegExp {
  const parts = output.trimEnd().replaceAll(WRITTEN, control).split('…');
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}\\s*$`);
}

eachOnPosix(
  'shell',
  [
    { city: 'Oslo', status: 0 },
    { city: 'Atlantis', status: 1 },
  ],
  'the shell script ends with $status for $city',
  async ({ city, status }) => {
    const script = blocks.find(({ language, text }) => language === 'bash' && text.includes('/reset'))!.text;
    const { command, args } = mcpRecord();
    const port = await freePort();
    const own = script
      .replaceAll('7357', String(port))
      .replace('node_modules/.bin/mcp-record', [command, ...args].map((word) => `'${word}'`).join(' '))
      .replace('"city":"Oslo"', `"city":"${city}"`);
    const ended = await run({ command: 'bash', args: ['-c', own], cwd: folder });
    expect(ended.status, `${ended.stdout}${ended.stderr}`).toBe(status);
  },
);

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
