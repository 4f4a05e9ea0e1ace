import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { record } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-bad-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const answerOf = (type: string, body: string, ...more: string[]) =>
  ['HTTP/1.1 200 OK', `Content-Type: ${type}`, `Content-Length: ${body.length}`, ...more, '', body].join('\r\n');

const GOOD = answerOf('application/json', '{"jsonrpc":"2.0","id":0,"result":{}}', 'Mcp-Session-Id: good');

/** A server that answers `/mcp` byte by byte as told: to what is in session `bad`, badly; to all else, well. */
async function badServer(bad = '') {
  const asked: string[] = [];
  const server = createServer((socket) => {
    let heard = '';
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard += data.toString('latin1');
      if (!heard.endsWith('}')) return;
      const isBad = /mcp-session-id: \S*bad/i.test(heard);
      asked.push(heard);
      heard = '';
      if (isBad && bad === RESET) return socket.resetAndDestroy();
      socket.write(isBad ? bad : GOOD, 'latin1');
      if (isBad) socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    /** What it was asked, whole, in order. */
    asked,
    [Symbol.dispose]: () => void server.close(),
  };
}

const RESET = 'a connection that is reset';

/** Sends one request on a connection of its own, and gives all that came back until it was closed. */
function ask(url: URL, session: string, method: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method });
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: ${url.host}`,
    'Connection: close',
    'Content-Type: application/json',
    ...(session ? [`Mcp-Session-Id: ${session}`] : []),
    `Content-Length: ${body.length}`,
  ];
  return send(url, `${head.join('\r\n')}\r\n\r\n${body}`);
}

async function send(url: URL, bytes: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (data) => chunks.push(data));
  socket.on('error', () => {});
  socket.write(bytes, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('from a server', () => {
  it.each([
    ['HTML', answerOf('text/html', '<h1>Welcome</h1>'), /<h1>Welcome<\/h1>$/, /body: "<h1>Welcome/],
    [
      'a message under the wrong type',
      answerOf('text/plain', '{"jsonrpc":"2.0","id":0,"result":{}}'),
      /result/,
      /text\/plain/,
    ],
    ['JSON that is none', answerOf('application/json', '{"jsonrpc":'), /\{"jsonrpc":$/, /jsonrpc/],
    ['an event that is no JSON', answerOf('text/event-stream', 'data: {"json\n\n'), /data: \{"json/, /\{"json/],
    ['events that are none', answerOf('text/event-stream', '\0\xff\x01 nothing\r\r\n'), /nothing/, /response: sse/],
    [
      'a body cut short',
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"half"',
      /\{"half"$/,
      /half/,
    ],
    ['chunks that are none', `${CHUNKED}zz\r\ndata: x\r\n`, /^HTTP\/1.1 200 OK/, /close: server/],
    [
      'a message above the limit',
      answerOf('application/json', `"${'x'.repeat(3_000_000)}"`),
      /x{3000000}"$/,
      /x{1000}/,
    ],
    [
      'a body beside which a length stands that is another',
      `${CHUNKED.replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\n')}2\r\n{}\r\n0\r\n\r\n`,
      /^HTTP\/1.1 502 /,
      undefined,
    ],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, /^HTTP\/1.1 502 /, undefined],
    ['two lengths', answerOf('text/plain', 'a', 'Content-Length: 7'), /^HTTP\/1.1 502 /, undefined],
    [RESET, RESET, /^$/, /close: server\n +stream: 1\n +how: rst/],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', /^HTTP\/1.1 502 /, undefined],
    ['nothing', '', /^$/, /close: server/],
  ])('%s is passed on, or said to be no answer, and no other session suffers', async (what, bad, got, recorded) => {
    const output = mkdtempSync(join(folder, 'cassettes-'));
    using far = await badServer(bad);
    await using recorder = await record(far.url, `${output}/`, '--body-limit', '1');
    await ask(recorder.url, '', 'initialize');
    const [before, answer, after] = [
      await ask(recorder.url, 'good', 'tools/list'),
      await ask(recorder.url, '../../bad', 'tools/list'),
      await ask(recorder.url, 'good', 'prompts/list'),
    ];
    const { status, stdout, stderr } = await recorder.stop();

    expect(answer).toMatch(got);
    expect([before, after].filter((text) => text.endsWith('"result":{}}'))).toHaveLength(2);
    const isCut = what === 'a message above the limit';
    expect({ status, stdout: stdout.toString() }).toEqual({ status: isCut ? 74 : 0, stdout: '' });
    if (isCut) expect(stderr).toContain('longer than 1 MB');
    if (what === 'no HTTP') expect(stderr).toContain('The server does not speak HTTP/1.1 there');

    const cassettes = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
    for (const name of readdirSync(output)) loadCassette(join(output, name));
    const good = cassettes.find((cassette) => cassette.includes('session: new')) ?? '';
    expect(good.match(/method: \S+/g)).toEqual(['method: initialize', 'method: tools/list', 'method: prompts/list']);
    if (recorded) expect(cassettes.filter((cassette) => cassette !== good).join()).toMatch(recorded);
    expect(readdirSync(folder).every((name) => name.startsWith('cassettes-'))).toBe(true);
  });
});

describe('from a client', () => {
  const request = (first: string, ...fields: string[]) =>
    `${[first, 'Host: 127.0.0.1', 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`;
  const POST = 'POST /mcp HTTP/1.1';
  const smuggled = '0\r\n\r\nDELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMcp-Session-Id: good\r\n\r\n';

  it.each([
    ['two lengths', `${request(POST, 'Content-Length: 2', 'Content-Length: 3')}{}}`, 400],
    ['a length beside chunks', request(POST, 'Content-Length: 5', 'Transfer-Encoding: chunked') + smuggled, 400],
    ['chunks twice', request(POST, 'Transfer-Encoding: chunked, chunked') + smuggled, '400|501'],
    ['a coding before chunks', request(POST, 'Transfer-Encoding: gzip, chunked') + smuggled, '400|501'],
    ['a coding that is none', request(POST, 'Transfer-Encoding: xchunked') + smuggled, '400|501'],
    ['a length that is none', `${request(POST, 'Content-Length: +2')}{}`, 400],
    ['a chunk that is none', `${request(POST, 'Transfer-Encoding: chunked')}zz\r\n{}`, 400],
    ['a head without end', request(POST, `X: ${'x'.repeat(70_000)}`), 431],
    ['a field on two lines', request(POST, 'X: a', ' b: c', 'Content-Length: 0'), 400],
    ['the URL of another server', request('GET http://evil.example/mcp HTTP/1.1'), 421],
    ['a tunnel to another server', request('CONNECT evil.example:443 HTTP/1.1'), 405],
    ['the name of another server', request('GET /mcp HTTP/1.1').replace('127.0.0.1', 'evil.example'), 403],
    ['a page of another server', request('GET /mcp HTTP/1.1', 'Origin: http://evil.example'), 403],
    ['a front of another server', request('GET /.mcp-record/http/evil.example/ HTTP/1.1'), 404],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 400],
  ])('%s is refused with the reason, reaches no server, and no other session suffers', async (_what, bytes, status) => {
    const file = join(mkdtempSync(join(folder, 'cassettes-')), 'cassette.yaml');
    using far = await badServer();
    await using recorder = await record(far.url, file);
    const { url } = recorder;
    await ask(url, '', 'initialize');
    const before = await ask(url, 'good', 'tools/list');
    const answer = await send(url, bytes.replace('Host: 127.0.0.1\r\n', `Host: ${url.host}\r\n`));
    const after = await ask(url, 'good', 'prompts/list');

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 (?:${status}) `));
    expect([before, after].filter((text) => text.endsWith('"result":{}}'))).toHaveLength(2);
    expect(far.asked.map((text) => /"method":"([^"]*)"/.exec(text)?.[1])).toEqual([
      'initialize',
      'tools/list',
      'prompts/list',
    ]);
    const { status: exit, stderr } = await recorder.stop();
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/Cannot pass on .*\[HTTP_REQUEST_REFUSED\]/s)]);
    expect(loadCassette(file).events).toHaveLength(6);
  });
});

describe('while a server', () => {
  it('takes its time for one session, others are served', async () => {
    const file = mkdtempSync(join(folder, 'cassettes-'));
    let hold: (socket: Socket) => void = () => {};
    const held = new Promise<Socket>((resolve) => {
      hold = resolve;
    });
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        const isSlow = /mcp-session-id: slow/i.test(data.toString());
        if (isSlow) hold(socket);
        socket.write(isSlow ? GOOD.slice(0, 20) : GOOD);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using recorder = await record(new URL(`http://127.0.0.1:${port}/mcp`), `${file}/`);
    const slow = ask(recorder.url, 'slow', 'tools/list');
    expect(await ask(recorder.url, '', 'initialize')).toContain('Mcp-Session-Id: good');
    const socket = await held;
    expect(await ask(recorder.url, 'good', 'tools/list')).toMatch(/"result":\{\}\}$/);
    socket.end(GOOD.slice(20));
    expect(await slow).toMatch(/"result":\{\}\}$/);
    expect((await recorder.stop()).status).toBe(0);
    server.close();
    const cassettes = readdirSync(file).map((name) => loadCassette(join(file, name)).events.length);
    expect(cassettes.sort()).toEqual([2, 4]);
  });

  it('is not there, its clients are told so, and may come again when it is', async () => {
    const file = join(mkdtempSync(join(folder, 'cassettes-')), 'cassette.yaml');
    const gone = await badServer();
    gone[Symbol.dispose]();
    await using recorder = await record(gone.url, file);
    const answer = await ask(recorder.url, '', 'initialize');
    expect(answer).toMatch(/^HTTP\/1.1 502 .*Cannot reach http.*Start the server/s);
    const server = createServer((socket) => {
      socket.on('data', () => socket.end(GOOD)).on('error', () => {});
    }).listen(Number(gone.url.port), '127.0.0.1');
    await once(server, 'listening');
    expect(await ask(recorder.url, '', 'initialize')).toMatch(/"result":\{\}\}$/);
    const { status, stderr } = await recorder.stop();
    server.close();
    expect([status, stderr]).toEqual([0, expect.stringContaining('HTTP_UPSTREAM_UNREACHABLE')]);
  });
});
