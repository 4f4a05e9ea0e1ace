import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cassette, mockServer, RpcFailure, saveCassette } from '../../src/adapters/mock.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
import { verifyServer } from '../../src/adapters/testing.ts';
import type { Cassette, CassetteEvent } from '../../src/cassette/cassette.ts';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import type { Peer } from '../e2e/session/peer.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { itOnPosix } from '../support/on-posix.ts';
import { connectTo, WAYS } from './clients.ts';

const folder = temporaryFolder();
let files = 0;
const frameOf = ({ frame, match }: CassetteEvent) => ({
  ...frame,
  at: Math.round(frame.at),
  ...(frame.kind === 'message' && { json: frame.json.value }),
  match,
});

/** The text that a tool answers, or what went wrong. */
function call(peer: Peer, name: string, args: object): Promise<string> {
  return peer.request('tools/call', { name, arguments: args }).then(
    (result) => {
      const { content, isError } = result as { content: [{ text: string }]; isError?: boolean };
      return isError ? `error: ${content[0].text}` : content[0].text;
    },
    ({ code, message }) => `${code} ${message.replace(/^MCP error [-\d]+: /, '')}`,
  );
}

const weather = (protocolVersion?: '2026-07-28') =>
  cassette(protocolVersion ? { protocolVersion } : {})
    .calls('add', { a: 1, b: 2 })
    .returns('3', 'three')
    .calls('add', { a: 0, b: 0 })
    .fails(new Error('nothing to add'))
    .calls('search', { query: /rain/i, path: '/from/' })
    .returns({ hits: 2 })
    .calls('quota')
    .fails(new RpcFailure({ code: -32050, message: 'busy' }));

async function conversation(peer: Peer): Promise<string[]> {
  return [
    await call(peer, 'add', { a: 1, b: 2 }),
    await call(peer, 'add', { b: 2, a: 1 }),
    await call(peer, 'add', { a: 0, b: 0 }),
    await call(peer, 'search', { query: 'Rain in Oslo', path: '/from/', page: 1 }),
    await call(peer, 'quota', { any: 'thing' }),
  ];
}
const ANSWERS = ['3', 'three', 'error: nothing to add', '{"hits":2}', '-32050 busy'];

describe('a cassette that is written in a test', () => {
  it.each(WAYS)('is played to $client over $over', async ({ client, over }) => {
    const tape = weather(client.includes('2026') ? '2026-07-28' : undefined);
    const server = await mockServer(tape, { over } as { over: 'http' });
    const peer = await connectTo(server, client);
    expect(await conversation(peer)).toEqual(ANSWERS);
    await peer.close();
    const { failed, findings } = await server.finish();
    expect([failed, findings.filter(({ kind }) => kind !== 'default')]).toEqual([false, []]);
  });

  it('fails a test that says something else, with the place in the test', async () => {
    const server = await mockServer(weather());
    const peer = await connectTo(server, 'SDK 1');
    expect(await call(peer, 'search', { query: 'sun', path: '/from/' })).toContain('-32');
    expect(await call(peer, 'search', { query: 'rain', path: 'from' })).toContain('-32');
    await peer.close();
    const { failures = [] } = await server.finish();
    const texts = failures.map(({ text }) => text);
    expect(texts.filter((text) => /cassette-builder\.test\.ts:\d+/.test(text)).length).toBeGreaterThan(2);
    expect(failures.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['miss', 'unused']));
  });

  it('has notifications, requests of any method, and what a mock client answers', async () => {
    const tape = cassette()
      .requests('resources/read', { uri: 'file:///a' })
      .returns('text')
      .notifies('notifications/resources/list_changed');
    const server = await mockServer({ cassette: tape });
    const peer = await connectTo(server, 'SDK 1');
    expect(await peer.request('resources/read', { uri: 'file:///a' })).toEqual({
      contents: [{ uri: 'file:///a', text: 'text' }],
    });
    await peer.close();
    expect(await server.finish()).toMatchObject({ failed: false });
  });
});

it.each([
  ['a name that is none', () => cassette().calls('')],
  ['a method that is none', () => cassette().requests(1 as never)],
  ['a method that is misspelt', () => cassette().requests('tool/call')],
  ['a notification that is misspelt', () => cassette().notifies('notifications/tools/list_chnaged')],
  ['a request as a notification', () => cassette().notifies('tools/list')],
  ['an unknown revision', () => cassette({ protocolVersion: '2020-01-01' as never })],
  ['what is no answer', () => cassette().requests('tools/list').returns('tools')],
  ['an expression of other flags', () => cassette().calls('a', { b: /x/g })],
  ['an expression that could take for ever', () => cassette().calls('a', { b: /(?=x)y/ })],
  ['arguments that are text', () => cassette().calls('a', 'Oslo' as never)],
  ['arguments that are a list', () => cassette().calls('a', [] as never)],
  ['a function among them', () => cassette().calls('a', { b: () => true })],
  ['a number that JSON has not', () => cassette().calls('a', { b: Number.NaN })],
  ['a map among them', () => cassette().calls('a', { b: new Map() })],
  ['an asymmetric matcher', () => cassette().calls('a', { b: [expect.any(String)] })],
  ['an asymmetric matcher for all', () => cassette().calls('a', expect.anything())],
  [
    'no error',
    () =>
      cassette()
        .calls('a')
        .fails(undefined as never),
  ],
  ['an error without a code', () => cassette().requests('tools/list').fails(new Error('no'))],
])('a cassette that is written in a test refuses %s', (_, write) => {
  expect(write).toThrow(expect.objectContaining({ code: 'HANDLER_INVALID' }));
});

describe('a cassette whose last request has no answer', () => {
  const refusal = expect.objectContaining({
    code: 'HANDLER_INVALID',
    message: expect.stringMatching(/tools\/call "audit" \(.*cassette-builder\.test\.ts:\d+\): add \.returns\(…\)/),
  });
  const begun = () => {
    const tape = cassette().calls('add').returns('3');
    return { tape, answers: tape.calls('audit', { id: 1 }) };
  };

  it.each<[string, (tape: ReturnType<typeof begun>) => unknown]>([
    ['the next call', ({ tape }) => tape.calls('add')],
    ['the next request', ({ tape }) => tape.requests('tools/list')],
    ['the next notification', ({ tape }) => tape.notifies('notifications/a')],
    ['saving it', ({ tape }) => saveCassette(tape, join(folder, 'unanswered.yaml'))],
    ['no values', ({ answers }) => answers.returns(...([] as unknown as [unknown]))],
    ['saving what has no answer', ({ answers }) => saveCassette(answers as never, join(folder, 'unanswered.yaml'))],
  ])('is refused by %s', (_, use) => {
    expect(() => use(begun())).toThrow(refusal);
  });

  it('is refused by a mock server, and by a client', async () => {
    for (const over of ['memory', 'http', 'stdio'])
      for (const tape of Object.values(begun()))
        await expect(mockServer(tape as never, { over } as never)).rejects.toThrow(refusal);
    const mcp = openMcp({ file: join(folder, 'a.test.js'), names: ['one'] });
    for (const tape of Object.values(begun())) {
      await expect(mcp.server(tape as never)).rejects.toThrow(refusal);
      await expect((async () => mcp.client(tape as never, { command: process.execPath }))()).rejects.toThrow(refusal);
    }
    await mcp.finish({ passed: true });
  });

  it('may get it later', () => {
    const { tape, answers } = begun();
    answers.returns('ok');
    expect(tape.events).toHaveLength(4);
  });
});

describe('a pattern', () => {
  const nobody = { command: join(folder, 'no-such-server') };

  it('cannot be played as a client, from a value or a file', async () => {
    const tape = cassette()
      .calls('search', { query: /^Oslo|Bergen$/i })
      .returns('rain');
    const file = join(folder, 'pattern.yaml');
    saveCassette(tape, file);
    for (const source of [tape, file])
      await expect(verifyServer(source, nobody)).rejects.toMatchObject({
        code: 'CASSETTE_UNPLAYABLE',
        message: expect.stringContaining('a pattern cannot be played: the argument query is /^Oslo|Bergen$/i'),
      });
  });

  it('that is a text which fits itself is played', async () => {
    const tape = cassette().calls('search', { query: /rain/i }).returns('rain');
    await expect(verifyServer(tape, nobody)).rejects.not.toMatchObject({ code: 'CASSETTE_UNPLAYABLE' });
  });
});

describe('saveCassette', () => {
  const root = join(import.meta.dirname, '../..');
  const REAL = ['examples', 'test/browser/sessions'].flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml') && !name.includes('node_modules'))
      .map((name) => join(root, place, name))
      .filter((path) => readFileSync(path, 'utf8').includes('\nrecorder:')),
  );

  it('writes what reads the same again, of recorded cassettes and of those of a test', () => {
    expect(REAL.length).toBeGreaterThan(5);
    const tapes: Cassette[] = [...REAL.map((file) => loadCassette(file)), weather(), cassette()];
    for (const tape of tapes) {
      const file = join(folder, `${files++}.yaml`);
      saveCassette(tape, file, { redact: false });
      const { header, events, end } = loadCassette(file);
      expect({ header, end }).toEqual({ header: tape.header, end: tape.end });
      expect(events.map(frameOf)).toEqual(tape.events.map(frameOf));
    }
  });

  it('keeps secrets to itself', () => {
    const file = join(folder, 'secret.yaml');
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    saveCassette(cassette().calls('login', { token }).returns(token), file);
    expect(readFileSync(file, 'utf8')).not.toContain(token);
  });

  it('redacts by the rules of the project', () => {
    const rules = join(folder, 'redaction.yaml');
    writeFileSync(rules, 'redact:\n- { pattern: cust-\\d+, name: customer }\n');
    vi.stubEnv('MCP_RECORD_REDACT_RULES', rules);
    onTestFinished(() => void vi.unstubAllEnvs());
    const file = join(folder, 'customer.yaml');
    saveCassette(cassette().calls('search', { for: 'cust-4711' }).returns('found'), file);
    expect(readFileSync(file, 'utf8')).toContain('for: "[redacted:customer:1]"');
  });

  itOnPosix('file modes', 'keeps its file to its owner', () => {
    const file = join(folder, 'owned.yaml');
    saveCassette(weather(), file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('writes over a file only when it is told to', () => {
    const file = join(folder, 'there.yaml');
    writeFileSync(file, 'mine');
    expect(() => saveCassette(weather(), file)).toThrow(expect.objectContaining({ code: 'CASSETTE_NOT_WRITTEN' }));
    expect(readFileSync(file, 'utf8')).toBe('mine');
    saveCassette(weather(), file, { replace: true });
    expect(loadCassette(file).events).toHaveLength(weather().events.length);
  });
});
