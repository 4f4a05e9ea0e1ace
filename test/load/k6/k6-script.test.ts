import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { k6Script } from '../../../src/load/k6/k6-script.ts';
import { k6Session } from '../../../src/load/k6/k6-session.ts';
import { parseThreshold } from '../../../src/load/threshold.ts';
import { isRequest } from '../../../src/protocol/message.ts';
import { sse1, streamable1 } from '../../e2e/http/clients.ts';
import { type Listening, record, replay, serve, server } from '../../e2e/http/processes.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { exported, failedChecks, layStandIn, played } from './run-script.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = realpathSync(temporaryFolder());
layStandIn(folder);
const flawed = (...args: string[]): Promise<Listening> => serve(fixture('loaded.js', ...args), '/mcp');

let sound: Listening;
beforeAll(async () => {
  sound = await flawed();
  await recordWeather(sound, 'weather.yaml');
  await exported(folder, 'weather.js', ...LOAD, '--http', sound.url.href, 'weather.yaml');
});
afterAll(() => sound[Symbol.asyncDispose]());

const LOAD = ['--clients', '5', '--for', '10s', '--threshold', 'p95<150ms', '--threshold', 'ping:max<10s'];

async function recordWeather({ url }: Listening, name: string): Promise<void> {
  await using recorder = await record(url, join(folder, name), '--timing', 'none');
  const client = await streamable1(recorder.url);
  await client.request('tools/list');
  await client.request('tools/call', { name: 'weather', arguments: { city: 'Oslo' } });
  await client.request('tools/call', { name: 'ping', arguments: {} });
  await client.close();
  await recorder.stop();
}

/** Plays the script of the weather cassette to another server. */
const playedTo = ({ url }: Listening, sessions = 4) =>
  played(folder, 'weather.js', { sessions, env: { MCP_URL: url.href } });

describe('a script of k6', () => {
  it('passes against the server that was recorded, and has checked every answer', async () => {
    const ended = await played(folder, 'weather.js', { sessions: 3 });
    expect([ended.stderr, failedChecks(ended)]).toEqual(['', {}]);
    for (const what of ['initialize', 'tools/list', 'tools/call "weather"', 'tools/call "ping"'])
      for (const check of ['is answered', 'has the recorded status', 'is as recorded'])
        expect(ended.checks[`${what} ${check}`]).toEqual({ passes: 3, fails: 0 });
    expect(ended.checks['notifications/initialized is accepted']).toEqual({ passes: 3, fails: 0 });
    expect(ended.checks['tools/call "weather" has its notifications']).toEqual({ passes: 3, fails: 0 });
    // A machine that is busy may be too slow for the p95.
    expect(ended.thresholds).toMatchObject({
      'mcp_answers count>0': true,
      'mcp_failed rate==0': true,
      'mcp_answers{request:tools/call ping} count>0': true,
      'mcp_answer_time{request:tools/call ping} max<10000': true,
    });
  });

  it('finds an answer that is wrong now and then, and names its place', async () => {
    await using other = await flawed('wrong', '4');
    const ended = await playedTo(other, 8);
    expect(ended.status).toBe(99);
    expect(failedChecks(ended)).toEqual({ 'tools/call "weather" is as recorded': 2 });
    expect(ended.thresholds['mcp_failed rate==0']).toBe(false);
    expect(ended.stderr).toContain('tools/call "weather" is as recorded: no, differs at /result/content/0/text');
    // What a server says may be secret.
    expect(ended.stderr).not.toContain('snow');
  });

  it('finds an error in place of an answer, and a notification that is lost', async () => {
    await using failing = await flawed('error', '4');
    expect(failedChecks(await playedTo(failing))).toEqual({ 'tools/call "weather" is as recorded': 1 });
    await using silent = await flawed('silent', '4');
    expect(failedChecks(await playedTo(silent))).toEqual({ 'tools/call "weather" has its notifications': 1 });
  });

  it('finds slow answers by the threshold alone', async () => {
    await using other = await flawed('slow', '1');
    const ended = await playedTo(other);
    expect([ended.status, failedChecks(ended)]).toEqual([99, {}]);
    expect(ended.thresholds['mcp_answer_time p(95)<150']).toBe(false);
  });

  it('keeps the session that a server gives, and finds one that is lost', async () => {
    await using forgetful = await flawed('forgets', '2');
    const ended = await playedTo(forgetful);
    expect(ended.status).toBe(99);
    // The second and the fourth session lose their calls after the first one.
    expect(failedChecks(ended)).toEqual({ 'tools/call "ping" is answered': 2 });
    expect(ended.stderr).toContain('tools/call "ping" is answered: no, status 404');
    await using lasting = await flawed('forgets', '1000');
    await playedTo(lasting, 1);
    expect(failedChecks(await playedTo(lasting, 3))).toEqual({});
  });

  it('finds a server that is not there, and does not hold its thresholds', async () => {
    const gone = await flawed();
    await gone[Symbol.asyncDispose]();
    const ended = await playedTo(gone, 1);
    expect(failedChecks(ended)).toEqual({ 'initialize is answered': 1 });
    expect(ended.thresholds).toMatchObject({
      'mcp_answers count>0': false,
      'mcp_answers{request:tools/call ping} count>0': false,
    });
  });

  it('plays a session of 2026-07-28, whose requests need no session', async () => {
    await using modern = await server('modern.js');
    await exported(folder, 'modern.js', '--http', modern.url.href, join(root, 'cassettes', 'client-2-pinned.yaml'));
    const ended = await played(folder, 'modern.js');
    expect([failedChecks(ended), ended.stderr]).toEqual([{}, '']);
    expect(ended.checks['tools/list is as recorded']).toEqual({ passes: 1, fails: 0 });
    expect(Object.keys(ended.checks).length).toBeGreaterThan(15);
  });

  it('plays cassettes in turn', async () => {
    const files = ['one', 'two'].map((name) => cassetteOf(`${name}.yaml`, call(1, name), said(1, name)));
    await using live = await answers({ one: 'one', two: 'two' });
    await exported(folder, 'turns.js', '--http', live.url, ...files);
    const ended = await played(folder, 'turns.js', { sessions: 3 });
    expect(failedChecks(ended)).toEqual({});
    const called = live.heard.flatMap(({ method, params }) => (method === 'tools/call' ? [params.name] : []));
    expect(called).toEqual(['one', 'two', 'one']);
  });

  it('is valid for the types of k6, options and all', () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const words = [
      '--ignoreConfig',
      '--noEmit',
      '--allowJs',
      '--checkJs',
      '--strict',
      '--noImplicitAny',
      'false',
      '--skipLibCheck',
    ];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2020', '--types', 'k6'];
    const check = (name: string) => {
      try {
        execFileSync(process.execPath, [tsc, ...words, ...modules, join(folder, name)], { stdio: 'pipe' });
        return '';
      } catch (error) {
        return String((error as { stdout: Buffer }).stdout);
      }
    };
    expect(check('weather.js')).toBe('');
    const text = readFileSync(join(folder, 'weather.js'), 'utf8');
    writeFileSync(join(folder, 'wrong.js'), text.replace('"constant-vus"', '"constant-users"'));
    expect(check('wrong.js')).toContain('constant-users');
  });
});

/** A request as the server hears it. That of the handshake has other params. */
interface Asked {
  method: string;
  params: { name: string; arguments: Record<string, unknown>; cursor?: string };
}

/** A server that answers each request by `answer`, after notifications on the same stream if there are any. */
async function answering(answer: (message: Asked) => object, told: readonly object[] = []) {
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, ...message } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    heard.push({ ...message, headers: request.headers });
    const messages = [...told, { jsonrpc: '2.0', id, ...answer(message) }].map((one) => JSON.stringify(one));
    response.writeHead(200, { 'Content-Type': told.length > 0 ? 'text/event-stream' : 'application/json' });
    response.end(told.length > 0 ? messages.map((text) => `data: ${text}\r\n\r\n`).join('') : messages[0]);
  });
  const heard: (Asked & { headers: Record<string, unknown> })[] = [];
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    heard,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
    },
  };
}

type Event = { client: object } | { server: object };

/** Writes a cassette of these messages, without the handshake. */
function cassetteOf(name: string, ...events: (Event & { match?: object; stream?: number })[]): string {
  const lines = events.map((event) => `- ${JSON.stringify(event).replaceAll('\u2028', '\\u2028')}\n`);
  writeFileSync(join(folder, name), `format: mcp-record/1\nevents:\n${lines.join('')}`);
  return name;
}

const call = (id: number, name: string, args: object = {}) => ({
  client: { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
});
const said = (id: number, text: string) => ({
  server: { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } },
});
const HANDSHAKE = {
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
};
const textOf = (text: string) => ({ result: { content: [{ type: 'text', text }] } });
const answers = (texts: Record<string, string>) =>
  answering(({ method, params }) => (method === 'initialize' ? HANDSHAKE : textOf(texts[params.name] ?? '')));

it.each(readdirSync(join(root, 'cassettes')))(
  'the script of %s is JavaScript, and has a step for each played message',
  (name) => {
    const cassette = loadCassette(join(root, 'cassettes', name));
    const thresholds = [parseThreshold('p95<1s', { titles: [] })];
    const load = { clients: 1, duration: 1_000, ramp: 0, thresholds, patience: 1_000 };
    const rest = { url: new URL('http://127.0.0.1:9/mcp'), hasPublicUrl: true, headers: [], ignore: [], load };
    const { text, variables } = k6Script({ cassettes: [cassette], ...rest });
    expect(
      () => new Script(text.replaceAll(/^import .*$|^export (?!default)/gm, '').replace(/^export default /m, 'void ')),
    ).not.toThrow();
    expect([text, variables]).toEqual([expect.not.stringMatching(/[^ -~\n…]/), []]);
    const { steps, notes } = k6Session(cassette);
    const requests = cassette.events.filter(({ frame }) => frame.from === 'client' && isRequestFrame(frame));
    const left = notes.filter((note) => note.startsWith('Not played: ')).length;
    expect(steps.filter(({ isRequest, place }) => isRequest && place !== cassette.file)).toHaveLength(
      requests.length - left,
    );
    expect(steps.every(({ isRequest, expect }) => !isRequest || expect !== undefined)).toBe(true);
  },
);

const isRequestFrame = (frame: Frame): boolean => frame.kind === 'message' && isRequest(frame.json.value);

describe('what varies', () => {
  it('is sent back as the server made it up: a whole text, a part of one, and a cursor', async () => {
    const list = (cursor: string | undefined) => ({
      client: { jsonrpc: '2.0', id: cursor ? 5 : 4, method: 'resources/list', params: cursor ? { cursor } : {} },
    });
    const page = (id: number, nextCursor?: string) => ({
      server: { jsonrpc: '2.0', id, result: { resources: [], ...(nextCursor && { nextCursor }) } },
    });
    const name = cassetteOf(
      'ids.yaml',
      { ...call(1, 'order'), match: { ignore: ['/result/content/0/text'] } },
      said(1, 'order-4711'),
      { ...call(2, 'place'), match: { ignore: ['/\\b[0-9a-f]{8}\\b/'] } },
      said(2, 'Placed as 0badcafe, thanks'),
      call(3, 'pay', { order: 'order-4711', note: 'for 0badcafe' }),
      said(3, 'paid order-4711'),
      list(undefined),
      page(4, 'recorded-cursor'),
      list('recorded-cursor'),
      page(5),
    );
    await using live = await answering(({ method, params }) => {
      if (method === 'initialize') return HANDSHAKE;
      if (method === 'resources/list')
        return { result: { resources: [], ...(!params.cursor && { nextCursor: 'live-cursor' }) } };
      if (params.name === 'order') return textOf('order-9999');
      return textOf(params.name === 'place' ? 'Placed as 12345678, thanks' : `paid ${params.arguments.order}`);
    });
    await exported(folder, 'ids.js', '--http', live.url, name);
    const ended = await played(folder, 'ids.js');
    const sent = live.heard.map(({ params }) => params.arguments ?? params.cursor);
    expect(sent.slice(-3)).toEqual([{ order: 'order-9999', note: 'for 12345678' }, undefined, 'live-cursor']);
    expect([failedChecks(ended), ended.stderr]).toEqual([{}, '']);
  });

  it('is left out by the rules of the cassette and of the options, and all else is compared', async () => {
    const name = cassetteOf(
      'ignored.yaml',
      call(1, 'a'),
      said(1, 'on 2026-01-05 it rains'),
      { ...call(2, 'b'), match: { ignore: ['/result/content/*/text'] } },
      said(2, 'x'),
    );
    const script = (...words: string[]) =>
      exported(folder, 'ignored.js', ...words, '--http', 'http://127.0.0.1:9/mcp', name);
    await script('--ignore-pattern', '\\d{4}-\\d\\d-\\d\\d');
    const failed = async (texts: Record<string, string>) => {
      await using live = await answers(texts);
      return failedChecks(await played(folder, 'ignored.js', { env: { MCP_URL: live.url } }));
    };
    expect(await failed({ a: 'on 2027-12-31 it rains', b: 'y' })).toEqual({});
    expect(await failed({ a: 'on 2027-12-31 it snows', b: 'y' })).toEqual({ 'tools/call "a" is as recorded': 1 });
    await script('--ignore', '/result/content/0/text');
    expect(await failed({ a: 'on 2027-12-31 it snows', b: 'y' })).toEqual({});
  });

  it('is left out of the message alone whose rule says so', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'took 5 ms' } };
    const lines = [
      { ...call(1, 'a'), stream: 1 },
      { server: note, stream: 1, sse: {}, match: { ignore: ['/took \\d+ ms/'] } },
      { ...said(1, 'took 5 ms'), stream: 1, sse: {} },
    ].map((event) => `- ${JSON.stringify(event)}\n`);
    writeFileSync(join(folder, 'note.yaml'), `format: mcp-record/1\ntransport: http\nevents:\n${lines.join('')}`);
    await exported(folder, 'note.js', '--http', 'http://127.0.0.1:9/mcp', 'note.yaml');
    const failed = async (told: string, text: string) => {
      await using live = await answering(
        ({ method }) => (method === 'initialize' ? HANDSHAKE : textOf(text)),
        [{ ...note, params: { level: 'info', data: told } }],
      );
      return Object.keys(failedChecks(await played(folder, 'note.js', { env: { MCP_URL: live.url } })));
    };
    expect(await failed('took 7 ms', 'took 5 ms')).toEqual([]);
    expect(await failed('took long', 'took 5 ms')).toEqual(['tools/call "a" has its notifications']);
    expect(await failed('took 7 ms', 'took 7 ms')).toEqual(['tools/call "a" is as recorded']);
  });

  it('finds an answer of another shape, or under another id or version', async () => {
    const name = cassetteOf('shape.yaml', call(1, 'a'), said(1, 'x'));
    await exported(folder, 'shape.js', '--http', 'http://127.0.0.1:9/mcp', name);
    const failed = async (answer: object) => {
      await using live = await answering(({ method }) => (method === 'initialize' ? HANDSHAKE : answer));
      return Object.keys(failedChecks(await played(folder, 'shape.js', { env: { MCP_URL: live.url } })));
    };
    const right = textOf('x');
    expect(await failed(right)).toEqual([]);
    expect(await failed({ ...right, jsonrpc: '1.0' })).toEqual(['tools/call "a" is as recorded']);
    expect(await failed({ ...right, id: '1' })).toEqual(['tools/call "a" is answered']);
    for (const result of [
      { content: [] },
      { content: [{ type: 'text', text: 'x' }, { type: 'text' }] },
      { content: { 0: { type: 'text', text: 'x' } } },
      { content: [{ type: 'text', text: 'x', more: null }] },
      { content: [{ type: 'text', text: ['x'] }] },
      null,
    ])
      expect(await failed({ result })).toHaveLength(1);
  });
});

describe('no secret', () => {
  const KEY = 'sk-ant-api03-planted-credential-4711-abcdefghijklmnop';

  it('is in a script: placeholders and headers are read from the environment', async () => {
    const name = cassetteOf('secret.yaml', call(1, 'login', { password: KEY }), said(1, `Hello, ${KEY}, welcome`));
    const words = ['--header', 'Authorization: Bearer env:TOKEN', '--header', 'X-Tenant: planted-tenant'];
    const url = 'http://127.0.0.1:9/mcp?key=planted-key';
    const { stderr, status } = await exported(folder, 'secret.js', ...words, '--http', url, name);
    const text = readFileSync(join(folder, 'secret.js'), 'utf8');
    expect([status, text.includes('planted')]).toEqual([0, false]);
    const { 1: password } = /"\[redacted:[^"]*": "(\w+)"/.exec(text)!;
    expect(stderr).toContain(`k6 run -e MCP_URL=… -e ${password}=… -e TOKEN=… -e MCP_HEADER_X_TENANT=… secret.js`);

    await using live = await answers({ login: `Hello, ${KEY}, welcome` });
    const env = { MCP_URL: live.url, [password!]: KEY, TOKEN: 'abc', MCP_HEADER_X_TENANT: 'acme' };
    const ended = await played(folder, 'secret.js', { env });
    expect([failedChecks(ended), ended.stderr]).toEqual([{}, '']);
    expect(live.heard.at(-1)!.params.arguments).toEqual({ password: KEY });
    expect(live.heard.at(-1)!.headers).toMatchObject({ authorization: 'Bearer abc', 'x-tenant': 'acme' });

    await using other = await answers({ login: 'Hello, nobody' });
    expect(failedChecks(await played(folder, 'secret.js', { env: { ...env, MCP_URL: other.url } }))).toEqual({
      'tools/call "login" is as recorded': 1,
    });
    const unset = await played(folder, 'secret.js', { env: { ...env, TOKEN: '' } });
    expect([unset.status, unset.stderr]).toEqual([1, expect.stringContaining('The variable TOKEN is not set')]);
  });
});

describe('a hostile cassette', () => {
  it.each([
    '"];globalThis.planted=1;["',
    '`${globalThis.planted=1}`',
    '\nglobalThis.planted=1//',
    '\u2028globalThis.planted=1//\u2029',
    '*/globalThis.planted=1/*',
    '__proto__',
    'constructor',
    'a::b,{request:x}',
    '$& $1 $$',
  ])('named %j runs nothing in a script, and is played', async (attack) => {
    const file = cassetteOf('hostile.yaml', call(1, attack, { [attack]: attack, id: 'constructor1' }), {
      server: { jsonrpc: '2.0', id: 1, result: { [attack]: attack, content: [] } },
    });
    await using live = await answering(({ method }) =>
      method === 'initialize' ? HANDSHAKE : { result: JSON.parse(JSON.stringify({ [attack]: attack, content: [] })) },
    );
    const { status } = await exported(folder, 'hostile.js', '--threshold', 'p95<60s', '--http', live.url, file);
    expect(status).toBe(0);
    const text = readFileSync(join(folder, 'hostile.js'), 'utf8');
    writeFileSync(join(folder, 'hostile.js'), `${text}\nif (globalThis.planted) throw new Error('it ran');\n`);
    const ended = await played(folder, 'hostile.js');
    expect([failedChecks(ended), ended.stderr, ended.status]).toEqual([{}, '', 0]);
    expect(live.heard.at(-1)!.params.name).toBe(attack);
  });
});

describe('what a script does not do is said, in it and on standard error', () => {
  it('calls that need an answer of the client, cancelled ones, and requests in flight together', async () => {
    const ask = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'Sure?' } };
    const name = cassetteOf(
      'asks.yaml',
      call(1, 'ask'),
      { server: ask },
      { client: { jsonrpc: '2.0', id: 1, result: { action: 'accept' } } },
      said(1, 'done'),
      call(2, 'slow'),
      call(3, 'fast'),
      said(3, 'fast'),
      said(2, 'slow'),
      call(4, 'given up'),
      { client: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } } },
    );
    const { stderr } = await exported(folder, 'asks.js', '--http', 'http://127.0.0.1:9/mcp', name);
    for (const line of [
      'Not played: tools/call "ask" (asks.yaml:3) waits for the answer to elicitation/create, which the script cannot give.',
      'Not played: tools/call "given up" (asks.yaml:11) was cancelled.',
      'Not compared: 1 request of the server, at asks.yaml:4 first.',
      'One after the other: requests that were in flight together, at asks.yaml:8 first.',
      'Not compared: messages on GET streams',
    ]) {
      expect(stderr).toContain(line);
      expect(readFileSync(join(folder, 'asks.js'), 'utf8')).toContain(`// ${line}`);
    }
    await using live = await answers({ slow: 'slow', fast: 'fast' });
    const ended = await played(folder, 'asks.js', { env: { MCP_URL: live.url } });
    expect([failedChecks(ended), live.heard.map(({ params }) => params.name)]).toEqual([
      {},
      [undefined, 'slow', 'fast'],
    ]);
  });
});

describe('a script is refused', () => {
  const http = ['--http', 'http://127.0.0.1:9/mcp'];
  it.each([
    ['for a server over stdio', ['weather.yaml', '--', 'node', 'x.js'], 'LOAD_EXPORT_IMPOSSIBLE', 'HTTP alone'],
    ['without a URL', ['weather.yaml'], 'LOAD_EXPORT_IMPOSSIBLE', 'no URL was given'],
    ['for a threshold that is none', [...http, '--threshold', 'fast', 'weather.yaml'], 'USAGE_BAD_THRESHOLD', 'fast'],
    ['with the syntax of RE2', [...http, '--ignore-pattern', '(?i)a', 'weather.yaml'], 'USAGE_BAD_PATTERN', '(?i'],
    [
      'with a report of what is not played',
      [...http, '--html', 'x.html', 'weather.yaml'],
      'USAGE_OPTION_WITHOUT_MEANING',
      '--html',
    ],
    ['in place of a cassette', [...http, '-o', 'weather.yaml', 'weather.yaml'], 'USAGE_CANNOT_WRITE', 'not a script'],
    ['for a URL that is none', ['--http', 'nowhere', 'weather.yaml'], 'USAGE_BAD_URL', 'nowhere'],
  ])('%s', async (_, words, code, why) => {
    const at = words.indexOf('--');
    const [own, server] = at < 0 ? [words, []] : [words.slice(0, at), words.slice(at)];
    const ended = await run({ ...mcpRecord('load', '--export', 'k6', ...own, ...server), cwd: folder });
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
    expect(ended.stderr).toContain(why);
    expect(ended.stdout.toString()).toBe('');
  });

  it('for an unknown format', async () => {
    const ended = await run({ ...mcpRecord('load', '--export', 'jmeter', ...http, 'weather.yaml'), cwd: folder });
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('[USAGE_BAD_EXPORT]')]);
  });

  it('for a session of HTTP with SSE, whose answers come on another stream', async () => {
    await using old = await replay(join(folder, 'weather.yaml'));
    await using recorder = await record(new URL('/sse', old.url), join(folder, 'legacy.yaml'));
    const client = await sse1(recorder.url);
    await client.request('tools/list');
    await client.close();
    await recorder.stop();
    const ended = await exported(folder, 'legacy.js', ...http, 'legacy.yaml');
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('[LOAD_EXPORT_IMPOSSIBLE]')]);
    expect(ended.stderr).toContain('HTTP with SSE (2024-11-05)');
  });

  it('for a cassette without an answer to compare', async () => {
    const name = cassetteOf('none.yaml', call(1, 'a'));
    const ended = await exported(folder, 'none.js', ...http, name);
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('[LOAD_EXPORT_IMPOSSIBLE]')]);
  });
});
