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
/** The first streams of a process cost it several times as much, until V8 has compiled what it does. */
const STREAMS = { second: 2, warm: 8 };

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const empty = join(folder, 'none.yaml');
  writeFileSync(empty, 'faults: []\n');
  const rule = ['--fault', 'latency:x/y:delay=0'];
  const proxies = { none: [], empty: ['--faults', empty], 'one rule': rule };
  // Short rounds and many: what else the machine does comes and goes in seconds.
  const costs = [
    ['stdio call, p50', (options) => stdioCalls(options, quick ? 1_000 : 1_500)],
    ['HTTP call, p50', (options) => httpCalls(options, quick ? 300 : 400)],
  ];
  const rows = [];
  for (const [what, measure] of costs) {
    const samples = await turns(
      quick ? 1 : 21,
      mapValues(proxies, (options) => () => measure(options)),
    );
    const ratio = median(pairs(samples.none, samples.empty, (none, other) => other / none));
    rows.push({ what, unit: 'µs', values: mapValues(samples, median), ratio, goal: '≤ 1.05' });
  }

  const events = quick ? 2_000 : 10_000;
  const late = await turns(quick ? 1 : 11, {
    none: () => floods([], events),
    idle: () => floods(rule, events),
    faulty: () => floods(['--fault', `latency::delay=${DELAY}`], events),
  });
  const streams = mapValues(STREAMS, (position) => {
    const taken = mapValues(late, (rounds) => rounds.map((times) => times[position - 1]));
    const added = median(pairs(taken.none, taken.faulty, (none, faulty) => faulty - none));
    return { ...mapValues(taken, median), added };
  });
  const bytes = quick ? 200_000 : 600_000;
  const slow = await turns(quick ? 1 : 3, {
    faulty: () => large(['--fault', `throttle::rate=${RATE}`], bytes),
  });
  const asked = (1_000 * bytes) / RATE;
  const faulty = median(slow.faulty);
  rmSync(folder, { recursive: true });
  return [
    ...rows,
    {
      what: `${events} SSE events, latency ${DELAY} ms`,
      unit: 'ms',
      values: streams.warm,
      ratio: streams.warm.added / DELAY,
      goal: '0.9 to 1.5',
    },
    { what: 'the same, the second stream of a process', unit: 'ms', values: streams.second },
    {
      what: `${bytes} bytes, throttle ${RATE} B/s`,
      unit: 'ms',
      values: { asked, faulty },
      ratio: faulty / asked,
      goal: '0.95 to 1.05',
    },
  ];
}

/** What each contender took in each round. They take turns, and every other round in the opposite order. */
async function turns(rounds, contenders) {
  const samples = mapValues(contenders, () => []);
  for (let round = 0; round < rounds; round++) {
    const inOrder = Object.entries(contenders);
    for (const [key, measure] of round % 2 === 0 ? inOrder : inOrder.reverse()) samples[key].push(await measure());
  }
  return samples;
}

/** What two contenders of the same round come to. */
function pairs(ones, others, compare) {
  return ones.map((one, round) => compare(one, others[round]));
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

/** What each stream of a process took. */
function floods(options, count) {
  return through(options, async (url) => {
    const times = [];
    while (times.length < STREAMS.warm) {
      const began = performance.now();
      const heard = await ask(url, { id: 0, method: 'flood', params: { count } });
      times.push(performance.now() - began);
      if (heard.split('\n\n').length !== count + 2) throw new Error(`${heard.split('\n\n').length} events came`);
    }
    return times;
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
