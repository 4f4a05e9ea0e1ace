/** What a proxy costs that could misbehave and does not, and how exact it is when it does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mapValues, median } from './measure.js';

export const name = 'faults';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'bin', 'mcp-record.js');
const echo = join(root, 'test', 'fixtures', 'answers.js');
const DELAY = 50;
const RATE = 200_000;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const empty = join(folder, 'none.yaml');
  writeFileSync(empty, 'faults: []\n');
  const rounds = quick ? 1 : 7;
  const empties = { none: [], empty: ['--faults', empty], 'one rule': ['--fault', 'latency:x/y:delay=0'] };
  const rows = [
    await beside(
      'stdio call, p50',
      'µs',
      rounds,
      mapValues(empties, (options) => () => stdioCalls(options, quick ? 2_000 : 10_000)),
    ),
    await beside(
      'HTTP call, p50',
      'µs',
      rounds,
      mapValues(empties, (options) => () => httpCalls(options, quick ? 500 : 2_000)),
    ),
  ];
  const costs = rows.map((row) => ({ ...row, ratio: row.values.empty / row.values.none, goal: '≤ 1.05' }));

  const events = quick ? 2_000 : 10_000;
  const late = await beside(`${events} SSE events, latency ${DELAY} ms`, 'ms', rounds, {
    none: () => flood([], events),
    idle: () => flood(['--fault', 'latency:x/y:delay=0'], events),
    faulty: () => flood(['--fault', `latency::delay=${DELAY}`], events),
  });
  const added = late.values.faulty - late.values.none;
  const bytes = quick ? 200_000 : 600_000;
  const slow = await beside(`${bytes} bytes, throttle ${RATE} B/s`, 'ms', quick ? 1 : 3, {
    faulty: () => large(['--fault', `throttle::rate=${RATE}`], bytes),
  });
  const asked = (1_000 * bytes) / RATE;
  rmSync(folder, { recursive: true });
  return [
    ...costs,
    { ...late, values: { ...late.values, added }, ratio: added / DELAY, goal: '0.9 to 1.5' },
    { ...slow, values: { asked, ...slow.values }, ratio: slow.values.faulty / asked, goal: '0.95 to 1.05' },
  ];
}

/** The best of contenders that take turns: whatever else the machine does only adds. */
async function beside(what, unit, rounds, contenders) {
  const samples = Object.fromEntries(Object.keys(contenders).map((key) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [key, measure] of Object.entries(contenders)) samples[key].push(await measure());
  }
  return {
    what,
    unit,
    values: Object.fromEntries(Object.entries(samples).map(([key, all]) => [key, Math.min(...all)])),
  };
}

async function stdioCalls(options, count) {
  const child = spawn(process.execPath, [bin, 'proxy', ...options, '--', process.execPath, echo], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface(child.stdout);
  const times = [];
  for (let id = 0; id < count + 500; id++) {
    const began = performance.now();
    child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"echo","params":{}}\n`);
    await once(lines, 'line');
    if (id >= 500) times.push(performance.now() - began);
  }
  child.stdin.end();
  await once(child, 'exit');
  return median(times) * 1_000;
}

/** Runs `task` with the address of a proxy before a server. */
async function through(options, task) {
  const server = await start(join(root, 'bench', 'http-server.js'));
  const proxy = await start(bin, 'proxy', '--http', server.url, ...options);
  const result = await task(proxy.url);
  for (const { child } of [proxy, server]) {
    child.kill();
    await once(child, 'exit');
  }
  return result;
}

function httpCalls(options, count) {
  return through(options, async (url) => {
    const times = [];
    for (let id = 0; id < count + 200; id++) {
      const began = performance.now();
      await ask(url, { id, method: 'echo' });
      if (id >= 200) times.push(performance.now() - began);
    }
    return median(times) * 1_000;
  });
}

function flood(options, count) {
  return through(options, async (url) => {
    await ask(url, { id: 0, method: 'flood', params: { count } });
    const began = performance.now();
    const heard = await ask(url, { id: 0, method: 'flood', params: { count } });
    if (heard.split('\n\n').length !== count + 2)
      throw new Error(`${heard.split('\n\n').length} events came`);
    return performance.now() - began;
  });
}

function large(options, bytes) {
  return through(options, async (url) => {
    await ask(url, { id: 0, method: 'echo' });
    const began = performance.now();
    await ask(url, { id: 0, method: 'large', params: { bytes } });
    return performance.now() - began;
  });
}

/** Asks, and gives the whole answer. */
function ask(url, message) {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    request(url, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        text += piece;
      });
      answer.once('end', () => resolve(text));
    })
      .on('error', reject)
      .end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}

/** Starts a program, and waits for the address that it says. */
async function start(...command) {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  // Read to its end: who cannot say what happens cannot go on.
  const lines = createInterface(child.stderr);
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const [, url] = /listening on (\S+) for/.exec(line) ?? [];
      if (url) resolve({ child, url });
    });
    child.once('exit', () => reject(new Error(`${command.join(' ')} does not listen`)));
  });
}
