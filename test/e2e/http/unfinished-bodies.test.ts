import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { residentBytes } from '../../support/process.ts';
import { record } from './processes.ts';

const MIB = 1024 * 1024;
const LONG = 7 * MIB;
const COUNT = 30;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-unfinished-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A server that counts the bytes of bodies that reach it, and answers each that is complete. */
async function countingServer() {
  let bytes = 0;
  let watch = () => {};
  const server = createServer((request, response) => {
    request.on('data', (data: Buffer) => {
      bytes += data.length;
      watch();
    });
    request.once('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    request.once('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    reached: (count: number) =>
      new Promise<void>((resolve) => {
        watch = () => bytes >= count && resolve();
        watch();
      }),
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

it('unfinished bodies take no more memory than four, all reach the server, and others are recorded beside them', async () => {
  using far = await countingServer();
  await using recorder = await record(far.url, `${folder}/`, '--body-limit', '8');
  const { hostname, port, host } = recorder.url;
  const begin = (length: number, body: string): Socket => {
    const socket = connect(Number(port), hostname);
    const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${length}\r\n\r\n${body}`);
    return socket;
  };
  const before = residentBytes(recorder.pid);
  const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"text":"${'x'.repeat(LONG)}`;
  const whole = `${text}"}}`;
  const sockets = Array.from({ length: COUNT }, () => begin(whole.length, text));
  await far.reached(COUNT * text.length);

  const beside = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"text":"beside"}}';
  const other = begin(beside.length, beside);
  expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
  // 210 MiB have passed, and 32 MiB may be held.
  if (before > 0) expect(residentBytes(recorder.pid) - before).toBeLessThan(140 * MIB);

  const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]));
  for (const socket of sockets) socket.write('"}}');
  expect(await Promise.all(answers)).toEqual(Array(COUNT).fill(expect.stringMatching(/^HTTP\/1.1 200 /)));
  const { status, stderr } = await recorder.stop();
  for (const socket of [...sockets, other]) socket.destroy();
  expect(status).toBe(74);
  expect(stderr).toContain('all messages that are being sent are together longer than 32 MB');
  const cassettes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(cassettes.join()).toContain('text: beside\n');
  expect(cassettes.join().match(/partial: true/g)!.length).toBeGreaterThanOrEqual(COUNT - 4);
}, 120_000);
