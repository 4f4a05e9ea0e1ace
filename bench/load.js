/** What a load costs the machine that makes it, beside clients on the official SDK that play the same sessions and compare one text. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparedInTurns, figure } from './measure.js';

export const name = 'load';

const PROGRAM = join(import.meta.dirname, '..', 'bin', 'mcp-record.js');
const CLIENTS = 20;
const CALLS = 20;
/** A busy machine is slow, which is no wrong answer. */
const PATIENCE_MS = 300_000;
/** Says on standard error, as the last line, what CPU a process took. */
const SAYS_CPU = `data:text/javascript,process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write('\\n' + (user + system));
});`;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const server = await farServer();
  const cassette = join(folder, 'cassette.yaml');
  writeFileSync(cassette, recorded());
  const time = quick ? 1_000 : 5_000;
  const contenders = {
    sdk: () => sdkClients(server.url, time),
    load: () => load(server.url, cassette, time, CLIENTS),
    'load, 2 workers': () => load(server.url, cassette, time, CLIENTS, 2),
    'load, 500 clients': () => load(server.url, cassette, time, 500),
  };
  const figures = await comparedInTurns(quick ? 1 : 5, contenders, ({ sdk, load }) => load / sdk);
  server.close();
  rmSync(folder, { recursive: true });
  const row = (what, unit, name, goal) => {
    const { values, ratio } = figures;
    return { what, unit, values: figure(values, name), ratio: ratio[name], goal };
  };
  return [row('an answer', 'µs CPU', 'cpu', '≤ 1'), row('answers', '1/s', 'rate', '≥ 1')];
}

async function sdkClients(url, time) {
  const began = performance.now();
  const { stdout } = await ran(join(import.meta.dirname, 'load-client.js'), url, CLIENTS, CALLS, time);
  const { answers, cpu } = JSON.parse(stdout);
  return { cpu: cpu / answers, rate: answers / ((performance.now() - began) / 1_000) };
}

async function load(url, cassette, time, clients, workers = 1) {
  const words = [
    'load',
    '--json',
    '--clients',
    clients,
    '--workers',
    workers,
    '--for',
    `${time}ms`,
    '--timeout',
    PATIENCE_MS,
    '--http',
    url,
    cassette,
  ];
  const { stdout, stderr } = await ran('--import', SAYS_CPU, PROGRAM, ...words);
  const { answers, failed, failures, duration } = JSON.parse(stdout);
  if (failed > 0) {
    const kinds = failures.map(({ count, step }) => `${count} times ${step.title}: ${step.headline}`);
    throw new Error(`${failed} answers were not as recorded:\n${kinds.join('\n')}`);
  }
  return { cpu: Number(stderr.trim().split('\n').at(-1)) / answers, rate: answers / (duration / 1_000) };
}

async function ran(...words) {
  const child = spawn(process.execPath, words.map(String), { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].on('data', (data) => (said[stream] += data));
  await once(child, 'close');
  return said;
}

const resultOf = (method, params) =>
  method === 'initialize'
    ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } }
    : { content: [{ type: 'text', text: `${params.arguments.n}` }] };

/** A session as its recorder would have written it, but for the times. */
function recorded() {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const requests = [
    { method: 'initialize', params },
    ...Array.from({ length: CALLS }, (_, n) => ({ method: 'tools/call', params: { name: 'echo', arguments: { n } } })),
  ];
  const pairs = requests.flatMap(({ method, params }, id) => [
    ['client', { id, method, params }],
    ['server', { id, result: resultOf(method, params) }],
    ...(id === 0 ? [['client', { method: 'notifications/initialized' }]] : []),
  ]);
  const events = pairs.map(([side, message]) => `- ${side}: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return `format: mcp-record/1\nevents:\n${events.join('')}`;
}

/** A server that answers at once, and compares nothing. */
async function farServer() {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() };
}
