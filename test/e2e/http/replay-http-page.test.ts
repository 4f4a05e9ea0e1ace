import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { Running, run } from '../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const PAGES = ['docs/replay-http.md', 'docs/replay-stateless.md', 'docs/replay-http-reference.md'] as const;
const pages = new Map(PAGES.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
const blocksOfPage = (path: (typeof PAGES)[number]): Block[] => blocksOf(path, pages.get(path)!);
const folder = join(temporaryFolder(), 'page');
const WRITTEN = 'http://127.0.0.1:8080';
const ACCEPT = "-H 'Accept: application/json, text/event-stream'";

let server: Running | undefined;
let origin = '';

/** Writes the file that a block is, for the server that runs. */
function write({ text }: Block): void {
  const name = /^(?:#|\/\/) (\S+\.\w+)\n/.exec(text)?.[1];
  if (name) writeFileSync(join(folder, name), text.replaceAll(WRITTEN, origin));
}

/** Starts the server of a line of a page, in place of the one before, and writes the files of the page. */
async function serve(file: string, path: (typeof PAGES)[number]): Promise<string> {
  await server?.[Symbol.asyncDispose]();
  server = new Running({ ...mcpRecord('replay', '--http', file), cwd: folder });
  const started = await server.line(server.child.stderr);
  server.read();
  origin = /http:\/\/127\.0\.0\.1:\d+/.exec(started)![0];
  for (const block of blocksOfPage(path)) write(block);
  return started;
}

/** What a line prints in bash, on both of its streams. */
async function printed(line: string): Promise<string> {
  const script = line.replaceAll(WRITTEN, origin);
  const { stdout } = await run({ command: 'bash', args: ['-c', `{ ${script}\n} 2>&1`], cwd: folder });
  return `${stdout}`.replaceAll('\r', '');
}

/** What a page shows, with anything in place of `…`. */
function patternOf(output: string): RegExp {
  const parts = output.trimEnd().replaceAll(WRITTEN, origin).split('…');
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')}\\s*$`);
}

/** Runs all console blocks of a page in their order, and returns the number of their commands. */
async function follow(path: (typeof PAGES)[number]): Promise<number> {
  const commands = blocksOfPage(path)
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => [...text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)]);
  for (const [, line, output] of commands) {
    const served = /^mcp-record replay .* (\S+)$/.exec(line!)?.[1];
    const text = served ? await serve(served, path) : await printed(line!);
    expect(text).toMatch(patternOf(output!));
  }
  return commands.length;
}

const { initialize, call } = {
  initialize: `{ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "curl", "version": "1" } } }`,
  call: (id: number, city: string) =>
    `{ "jsonrpc": "2.0", "id": ${id}, "method": "tools/call", "params": { "name": "weather", "arguments": { "city": "${city}" } } }`,
};
const post = (json: string, rest = '') => printed(`curl -s ${WRITTEN}/mcp ${ACCEPT} --json '${json}' ${rest}`);

/** Writes a cassette with calls for these cities, as `record` writes it. */
function writeTrip(name: string, ...cities: string[]): void {
  const calls = cities.flatMap((city, at) => [
    `- client: { id: ${at + 1}, method: tools/call, params: { name: weather, arguments: { city: ${city} } } }`,
    `- server: { id: ${at + 1}, result: { content: [{ type: text, text: ${city === 'Oslo' ? 'sunny' : 'rain'} }] } }`,
  ]);
  const opening = `- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: my-client, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: 1.0.0 } } }
- client: { method: notifications/initialized }`;
  writeFileSync(
    join(folder, 'cassettes', `${name}.yaml`),
    `format: mcp-record/1\nevents:\n${[opening, ...calls].join('\n')}\n`,
  );
}

beforeAll(() => {
  mkdirSync(join(folder, 'cassettes'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const path of PAGES) for (const block of blocksOfPage(path)) write(block);
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe('the pages on replay over HTTP', () => {
  itOnPosix('shell', 'show what their commands print', async () => {
    for (const [path, page] of pages) expect(await follow(path)).toBe(page.match(/^\$ /gm)!.length);
    const said = blocksOfPage('docs/replay-http-reference.md').find(({ language }) => language === 'text')!;
    server!.signal('SIGTERM');
    expect((await server!.ended).stderr).toContain(said.text);
  });

  itOnPosix('shell', 'end with 1 after a miss, and with 0 without one', async () => {
    for (const [city, status] of [
      ['Rome', 1],
      ['Oslo', 0],
    ] as const) {
      await serve('weather.yaml', 'docs/replay-http.md');
      await printed(`node client.js ${city}`);
      server!.signal('SIGINT');
      expect((await server!.ended).status).toBe(status);
    }
  });

  itOnPosix('shell', 'choose a cassette of a folder as the table says', async () => {
    const line = blocksOfPage('docs/replay-http.md')
      .find(({ language }) => language === 'sh')!
      .text.trim();
    const name = /^mcp-record replay .* (\S+)$/.exec(line)![1]!;
    writeTrip('oslo', 'Oslo');
    writeTrip('rome', 'Rome');
    await serve(name, 'docs/replay-http.md');
    expect(await printed('node client.js Rome')).toBe('Rome: rain\n');
    expect(await printed('node client.js Rome Oslo')).toMatch(/^Rome: rain\n[\s\S]*no recorded call matches/);
    writeTrip('trip', 'Oslo', 'Rome');
    await serve(name, 'docs/replay-http.md');
    expect(await printed('node client.js Rome Oslo')).toBe('Rome: rain\nOslo: sunny\n');
  });

  itOnPosix('shell', 'answer clients without sessions as the tables say', async () => {
    const path = 'docs/replay-stateless.md';
    await serve('trip.yaml', path);
    const both = await printed('node client.js Oslo Rome & node client.js Oslo Rome; wait');
    expect(both.trim().split('\n').sort()).toEqual(['Oslo: sunny', 'Oslo: sunny', 'Rome: rain', 'Rome: rain']);
    await serve('trip.yaml', path);
    expect(await printed('node client.js Oslo Oslo')).toBe('Oslo: sunny\nOslo: sunny\n');
    await serve('trip.yaml', path);
    const random = async (city: string) => {
      const meta = `"_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }`;
      const json = call(0, city)
        .replace('"id": 0', `"id": "${crypto.randomUUID()}"`)
        .replace(/ \} \}$/, ` , ${meta} } }`);
      return post(json, `-H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: weather'`);
    };
    for (let client = 0; client < 2; client += 1) {
      expect(await random('Oslo')).toContain('sunny');
      expect(await random('Rome')).toContain('rain');
    }
    expect(await random('Rome')).toContain('was already used');
  });

  itOnPosix('shell', 'replay statuses and a resumed stream as the reference says', async () => {
    const session = async () =>
      `-H 'Mcp-Session-Id: ${/^mcp-session-id: (\S+)$/m.exec(await post(initialize, '-i'))![1]}'`;
    await serve('token.yaml', 'docs/replay-http-reference.md');
    expect(await post(call(1, 'Oslo'))).toContain('sunny');
    expect(await post(call(2, 'Rome'), '-i')).toMatch(/^HTTP\/1\.1 503 /);
    await serve('resume.yaml', 'docs/replay-http-reference.md');
    const id = await session();
    expect(await post(call(2, 'Oslo'), id)).toMatch(/^id: a\ndata: \s*$/);
    const resume = (last: string, rest = '') =>
      printed(`curl -s ${WRITTEN}/mcp -H 'Accept: text/event-stream' ${id} -H 'Last-Event-ID: ${last}' ${rest}`);
    expect(await resume('a')).toContain('sunny');
    expect(await resume('z', '-i')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('name the tasks of the reference in the table of the how-to', () => {
    const reference = pages.get('docs/replay-http-reference.md')!;
    const linked = [...pages.get('docs/replay-http.md')!.matchAll(/^\| .* \| \[(.*)\]\(replay-http-reference\.md#/gm)];
    expect(linked.length).toBeGreaterThan(4);
    for (const [, heading] of linked.filter(([, text]) => !text!.startsWith('`')))
      expect(reference).toContain(`\n## ${heading}\n`);
  });
});
