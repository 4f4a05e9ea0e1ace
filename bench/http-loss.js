/** How soon one side of an event stream sees that the other is gone, through a recorder and without. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, start } from './http.js';
import { median } from './measure.js';

export const name = 'http-loss';

const RECORDER = join(import.meta.dirname, '..', 'bin', 'mcp-record.js');

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const far = await farServer();
  const cassette = join(folder, 'cassette.yaml');
  const between = await start(RECORDER, 'record', '--http', far.url, '--listen', '127.0.0.1:0', '-o', cassette);
  const ways = { direct: far.url, recorder: between.url };
  const rounds = quick ? 50 : 300;

  const samples = { client: { direct: [], recorder: [] }, server: { direct: [], recorder: [] } };
  for (let round = 0; round < rounds; round++) {
    for (const [contender, url] of Object.entries(ways)) {
      samples.client[contender].push(await clientVanishes(url, far));
      samples.server[contender].push(await serverVanishes(url, far));
    }
  }
  between.child.kill();
  await once(between.child, 'exit');
  far.close();
  rmSync(folder, { recursive: true });
  return [
    ...rowsOf('a client that vanishes is seen by the server', samples.client),
    ...rowsOf('a server that vanishes is seen by the client', samples.server),
  ];
}

function rowsOf(what, samples) {
  const of = (choose) => Object.fromEntries(Object.entries(samples).map(([key, all]) => [key, choose(all)]));
  return [
    { what: `${what}, p50`, unit: 'ms', values: of(median) },
    { what: `${what}, max`, unit: 'ms', values: of((all) => Math.max(...all)), goal: '≤ 100' },
  ];
}

/** A server that opens a stream to whoever asks, and hands it over. */
async function farServer() {
  let opened = () => {};
  const server = createServer((request, response) => {
    request.resume();
    response.on('error', () => {});
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    opened(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    /** The server's end of the next stream. */
    next: () =>
      new Promise((resolve) => {
        opened = resolve;
      }),
    close: () => server.close(),
  };
}

/** Opens a stream, and gives both of its ends. */
async function open(url, far) {
  const agent = new Agent();
  const [response, answer] = await Promise.all([far.next(), ask(url, agent, { id: 1, method: 'listen' })]);
  answer.on('error', () => {}).resume();
  return { response, answer };
}

async function clientVanishes(url, far) {
  const { response, answer } = await open(url, far);
  const seen = closed(response);
  const began = performance.now();
  answer.destroy();
  await seen;
  return performance.now() - began;
}

async function serverVanishes(url, far) {
  const { response, answer } = await open(url, far);
  const seen = closed(answer);
  const began = performance.now();
  response.destroy();
  await seen;
  return performance.now() - began;
}

/** Being cut off is an error, and what is waited for. */
function closed(stream) {
  return new Promise((resolve) => stream.once('close', resolve));
}
