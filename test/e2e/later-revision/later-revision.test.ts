import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpRecord } from '../../support/command.ts';
import { fixture, recorder, run } from '../../support/process.ts';
import { listen, record, replay, serve } from '../http/processes.ts';

/** A revision that does not exist yet. Our tables have nothing for it, and what they say of it must not be wrong. */
const LATER = '2026-12-15';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-later-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const server = fixture('speaks-later-revision.js');
const _meta = {
  'io.modelcontextprotocol/protocolVersion': LATER,
  'io.modelcontextprotocol/clientInfo': { name: 'client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
  // A draft repeats the version of a tool in calls.
  'io.modelcontextprotocol/toolVersion': 'v-7f3a',
};
const call = { name: 'add', arguments: { a: 1, b: 2 } };
const handshake = { protocolVersion: LATER, capabilities: {}, clientInfo: { name: 'client', version: '1' } };

type Message = { id?: number; method: string; params?: Record<string, unknown> };
type Shape = 'stateless' | 'handshake';

/** What a client sends, in the shape that requests have since 2026-07-28, and in the one of older revisions. */
const MESSAGES: Readonly<Record<Shape, readonly Message[]>> = {
  stateless: [
    { id: 1, method: 'server/discover', params: { _meta } },
    { id: 2, method: 'tools/list', params: { _meta } },
    { id: 3, method: 'tools/call', params: { ...call, _meta } },
  ],
  handshake: [
    { id: 1, method: 'initialize', params: handshake },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: call },
  ],
};
const SHAPES = [['stateless', '2026-07-28'] as const, ['handshake', '2025-11-25'] as const];

const inputOf = (shape: Shape) =>
  MESSAGES[shape].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

/** The answers to these messages over HTTP, with the headers of their shape. */
async function exchange(url: URL, shape: Shape): Promise<string[]> {
  const answers: string[] = [];
  let session: string | undefined;
  for (const { method, params = {}, ...rest } of MESSAGES[shape]) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(method !== 'initialize' && { 'mcp-protocol-version': LATER }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(shape === 'stateless' && { 'mcp-method': method }),
      ...(shape === 'stateless' && typeof params.name === 'string' && { 'mcp-name': params.name }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, ...rest });
    const answer = await fetch(url, { method: 'POST', headers, body });
    session ??= answer.headers.get('mcp-session-id') ?? undefined;
    answers.push(`${answer.status} ${await answer.text()}`);
  }
  return answers;
}

/** Records the server over stdio. */
async function recorded(shape: Shape): Promise<string> {
  const file = path(`${shape}.yaml`);
  if (readdirSync(folder).includes(`${shape}.yaml`)) return file;
  const ended = await run(recorder(file, server, '--timing', 'none'), inputOf(shape));
  expect(ended.status).toBe(0);
  expect(ended.stdout.toString()).toBe((await run(server, inputOf(shape))).stdout.toString());
  return file;
}

describe.each(SHAPES)('a session of a later revision, %s', (shape, treatedAs) => {
  const warning = `the session has revision ${LATER} of MCP, which is not known yet: it is treated as ${treatedAs}`;
  const live = ['--', server.command, ...server.args];

  it.each<[string, (file: string) => string[], string]>([
    ['lint', (file) => ['lint', file], '0 errors'],
    ['show', (file) => ['show', file], 'tools/call "add"'],
    ['verify', (file) => ['verify', file, ...live], '3 passed'],
    ['check', (file) => ['check', file, ...live], 'protocol  passed'],
    ['diff', (file) => ['diff', file, file], 'the same'],
    ['report', (file) => ['report', '-o', path(`${shape}.html`), file], ''],
    ['coverage', (file) => ['coverage', file], 'No revision that is known: '],
    ['convert', (file) => ['convert', '--to', 'mermaid', file, path(`${shape}.mmd`)], ''],
  ])('%s takes it, and says how', async (_name, args, said) => {
    const { stdout, stderr, status } = await run(mcpRecord(...args(await recorded(shape))));
    // What check runs is in its own output.
    expect([stderr + stdout, status]).toEqual([expect.stringContaining(warning), 0]);
    expect(stdout.toString()).toContain(said);
  });

  it('replay plays it, and says how', async () => {
    const file = await recorded(shape);
    const ended = await run(mcpRecord('replay', '--strict', file), inputOf(shape));
    expect([ended.stderr, ended.status]).toEqual([expect.stringContaining(warning), 0]);
    expect(ended.stdout.toString()).toBe((await run(server, inputOf(shape))).stdout.toString());
  });

  it('is recorded, played and verified over HTTP', async () => {
    const file = path(`${shape}-http.yaml`);
    await using real = await serve(server, '/mcp');
    await using tap = await record(real.url, file, '--timing', 'none');
    const answers = await exchange(tap.url, shape);
    expect(answers).toEqual(await exchange(real.url, shape));
    expect(answers.at(-1)).toContain('"text":"3"');
    await tap.stop();
    expect(readFileSync(file, 'utf8')).not.toContain('headers:');

    await using mock = await replay(file, '--strict');
    expect(await exchange(mock.url, shape)).toEqual(answers);
    const ended = await mock.stop();
    expect([ended.stderr, ended.status]).toEqual([expect.stringContaining(warning), 0]);
    const verified = await run(mcpRecord('verify', file, '--http', real.url.href));
    expect([verified.stdout.toString(), verified.status]).toEqual([expect.stringContaining('3 passed'), 0]);
    const compared = await run(mcpRecord('diff', await recorded(shape), file));
    expect([compared.stdout.toString(), compared.status]).toEqual([expect.stringContaining('the same'), 0]);
  });
});

it('verify does not pass a server that has another version of a tool, and names the version', async () => {
  const command = mcpRecord('verify', await recorded('stateless'), '--', server.command, ...server.args);
  const { stdout, status } = await run({ ...command, env: { TOOL_VERSION: 'v-0001' } });
  expect([stdout.toString(), status]).toEqual([expect.stringContaining('tool "add": version changed'), 1]);
  expect(stdout.toString()).toContain('Stale tool definition: v-7f3a');
});

describe('a server of a later revision alone', () => {
  const alone = fixture('speaks-later-revision.js', 'stateless');

  it.each([
    ['new', ['new', '-o', 'none.mock.yaml']],
    ['record --lists', ['record', '--lists', '-o', 'none.yaml']],
  ])('is refused by %s, which names the revisions that it supports', async (_name, words) => {
    const command = mcpRecord(...words, '--', alone.command, ...alone.args);
    const { stderr, status } = await run({ ...command, cwd: folder });
    expect([stderr, status]).toEqual([expect.stringContaining('[SERVER_NOT_LISTED]'), 2]);
    expect(stderr).toContain(`Unsupported protocol version, and supports ${LATER}`);
  });
});

it('a mock over HTTP refuses a request of a later revision, and names those that it has', async () => {
  const file = join(import.meta.dirname, '..', '..', 'fixtures', 'weather.mock.yaml');
  const command = mcpRecord('mock', '--http', '--listen', '127.0.0.1:0', file);
  await using mock = await listen(command, (line) => /listening on (\S+) for/.exec(line)?.[1]);
  const [answer] = await exchange(mock.url, 'stateless');
  expect(answer).toMatch(/^400 .*-32022.*"supported":\["2026-07-28"\],"requested":"2026-12-15"/);
});
