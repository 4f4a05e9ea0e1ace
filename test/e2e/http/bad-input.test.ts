import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/load.ts';
import { record } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-bad-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const answerOf = (type: string, body: string, ...more: string[]) =>
  ['HTTP/1.1 200 OK', `Content-Type: ${type}`, `Content-Length: ${body.length}`, ...more, '', body].join(
    '\r\n',
  );

const GOOD = answerOf('application/json', '{"jsonrpc":"2.0","id":0,"result":{}}', 'Mcp-Session-Id: good');

/** A server that answers `/mcp` byte by byte as told: to what is in session `bad`, badly; to all else, well. */
async function badServer(bad: string) {
  const server = createServer((socket) => {
    let heard = '';
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard += data.toString('latin1');
      if (!heard.endsWith('}')) return;
      const isBad = /mcp-session-id: \S*bad/i.test(heard);
      heard = '';
      socket.write(isBad ? bad : GOOD, 'latin1');
      if (isBad) socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), [Symbol.dispose]: () => void server.close() };
}

/** Sends one request on a connection of its own, and gives all that came back until it was closed. */
async function ask(url: URL, session: string, method: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method });
  const socket = connect(Number(url.port), url.hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (data) => chunks.push(data));
  socket.on('error', () => {});
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: ${url.host}`,
    'Connection: close',
    'Content-Type: application/json',
    ...(session ? [`Mcp-Session-Id: ${session}`] : []),
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await once(socket, 'close');
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
    [
      'an event that is no JSON',
      answerOf('text/event-stream', 'data: {"json\n\n'),
      /data: \{"json/,
      /\{"json/,
    ],
    [
      'events that are none',
      answerOf('text/event-stream', '\0\xff\x01 nothing\r\r\n'),
      /nothing/,
      /reply: sse/,
    ],
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
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', /^HTTP\/1.1 502 /, undefined],
    ['nothing', '', /^$/, /close: server/],
  ])(
    '%s is passed on, or said to be no answer, and no other session suffers',
    async (what, bad, got, taped) => {
      const output = mkdtempSync(join(folder, 'tapes-'));
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

      const tapes = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
      for (const name of readdirSync(output)) loadCassette(join(output, name));
      const good = tapes.find((tape) => tape.includes('session: new')) ?? '';
      expect(good.match(/method: \S+/g)).toEqual([
        'method: initialize',
        'method: tools/list',
        'method: prompts/list',
      ]);
      if (taped) expect(tapes.filter((tape) => tape !== good).join()).toMatch(taped);
      expect(readdirSync(folder).every((name) => name.startsWith('tapes-'))).toBe(true);
    },
  );
});
