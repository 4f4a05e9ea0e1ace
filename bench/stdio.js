/** What a recorder costs on stdio, beside the direct connection and a process that only forwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const name = 'stdio';

const root = join(import.meta.dirname, '..');
const MEGABYTE = 1024 * 1024;
const CONTENDERS = ['direct', 'bare', 'recorder'];

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const rounds = quick ? 3 : 9;
  const scale = quick ? 0.25 : 1;
  const rows = [];
  const measure = async (what, unit, task, args = []) => {
    const samples = Object.fromEntries(CONTENDERS.map((contender) => [contender, []]));
    for (let round = 0; round < rounds; round++) {
      for (const contender of CONTENDERS)
        samples[contender].push(await task(commandOf(contender, args, folder)));
    }
    return {
      what,
      unit,
      values: Object.fromEntries(Object.entries(samples).map(([key, all]) => [key, median(all)])),
    };
  };

  const sequential = await measure('one call at a time, p50', 'µs', (command) =>
    oneByOne(command, 4_000 * scale),
  );
  rows.push({ ...sequential, ...added(sequential.values, 2), what: 'one way, added p50', goal: '≤ 1.25' });
  const parallel = await measure('64 in flight', 'calls/s', (command) => inFlight(command, 40_000 * scale));
  rows.push({ ...parallel, ratio: parallel.values.recorder / parallel.values.bare, goal: '≥ 0.85' });
  const flood = await measure('flood of notifications', '1/s', (command) =>
    flooded(command, 100_000 * scale),
  );
  rows.push({ ...flood, ratio: flood.values.recorder / flood.values.bare, goal: '≥ 0.85' });
  for (const [megabytes, goal] of [
    [1, '≤ 1.25'],
    [10, '≤ 2'],
  ]) {
    const calls = Math.ceil((quick ? 10 : 30) / megabytes);
    const args = [String(megabytes * MEGABYTE)];
    const large = await measure(
      `${megabytes} MB answers`,
      'ms',
      (command) => oneByOne(command, calls, 1_000),
      args,
    );
    rows.push({ ...large, ratio: large.values.recorder / large.values.bare, goal });
  }
  const start = await measure('start to first answer', 'ms', (command) => firstAnswer(command));
  rows.push({
    ...start,
    ratio: `+${(start.values.recorder - start.values.direct).toFixed(0)} ms`,
    goal: '≤ +45 ms',
  });
  const cpu = await measure('CPU a call, 64 in flight', 'µs', (command) => cpuOf(command, 40_000 * scale));
  rows.push({
    ...cpu,
    values: { bare: cpu.values.bare, recorder: cpu.values.recorder },
    ratio: cpu.values.recorder,
    goal: '≤ 7 µs',
  });
  const memory = await measure('resident after the calls', 'MB', (command) =>
    memoryAfter(command, 100_000 * scale),
  );
  rows.push({
    ...memory,
    values: { bare: memory.values.bare, recorder: memory.values.recorder },
    ratio: memory.values.recorder,
    goal: '≤ 64 MB',
  });
  rmSync(folder, { recursive: true });
  return rows;
}

/** What a process between adds to one way, and how that compares. */
function added({ direct, bare, recorder }, ways) {
  const values = { bare: (bare - direct) / ways, recorder: (recorder - direct) / ways };
  return { values: { direct, ...values }, ratio: values.recorder / values.bare };
}

let tapes = 0;
function commandOf(contender, args, folder) {
  const server = [join(root, 'test', 'fixtures', 'answers.js'), ...args];
  if (contender === 'direct') return server;
  if (contender === 'bare') return [join(root, 'bench', 'bare-pipe.js'), process.execPath, ...server];
  const file = join(folder, `${tapes++}.yaml`);
  return [join(root, 'bin', 'mcp-record.js'), 'record', '-o', file, '--', process.execPath, ...server];
}

/** A client that counts newlines, so that it costs as little as a client can. */
class Client {
  constructor(command) {
    this.child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = once(this.child, 'close');
    this.lines = 0;
    this.onLines = () => {};
    this.child.stdout.on('data', (data) => {
      let lines = 0;
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines++;
      this.lines += lines;
      if (lines > 0) this.onLines(lines);
    });
  }

  say(id, method = 'tools/call', params = { name: 'echo', arguments: { message: 'hello', n: id } }) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  }

  /** Resolves when `count` more lines have come. */
  heard(count) {
    const until = this.lines + count;
    return new Promise((resolve) => {
      this.onLines = () => void (this.lines >= until && resolve());
    });
  }

  async close() {
    this.child.stdin.end();
    await this.ended;
  }
}

async function oneByOne(command, calls, perMicrosecond = 1) {
  const client = new Client(command);
  const times = [];
  const warmUp = Math.min(500, calls);
  for (let n = 0; n < calls + warmUp; n++) {
    const heard = client.heard(1);
    const began = performance.now();
    client.say(n);
    await heard;
    if (n >= warmUp) times.push(performance.now() - began);
  }
  await client.close();
  return (median(times) * 1_000) / perMicrosecond;
}

async function inFlight(command, calls) {
  const client = new Client(command);
  await pump(client, calls / 4);
  const began = performance.now();
  await pump(client, calls);
  const seconds = (performance.now() - began) / 1_000;
  await client.close();
  return calls / seconds;
}

/** Calls with 64 in flight until `calls` were answered. */
function pump(client, calls) {
  let [sent, answered] = [0, 0];
  return new Promise((resolve) => {
    client.onLines = (lines) => {
      answered += lines;
      while (sent < calls && sent - answered < 64) client.say(sent++);
      if (answered >= calls) resolve();
    };
    while (sent < Math.min(64, calls)) client.say(sent++);
  });
}

async function flooded(command, count) {
  const client = new Client(command);
  const warm = client.heard(1);
  client.say(0);
  await warm;
  const all = client.heard(count + 1);
  const began = performance.now();
  client.say(1, 'flood', { count });
  await all;
  const seconds = (performance.now() - began) / 1_000;
  await client.close();
  if (client.lines !== count + 2) throw new Error(`${client.lines} lines came of ${count + 2}`);
  return count / seconds;
}

async function firstAnswer(command) {
  const began = performance.now();
  const client = new Client(command);
  const heard = client.heard(1);
  client.say(0);
  await heard;
  const took = performance.now() - began;
  await client.close();
  return took;
}

async function cpuOf(command, calls) {
  const client = new Client(command);
  await pump(client, calls / 4);
  const before = cpuMicroseconds(client.child.pid);
  await pump(client, calls);
  const after = cpuMicroseconds(client.child.pid);
  await client.close();
  return (after - before) / calls;
}

async function memoryAfter(command, calls) {
  const client = new Client(command);
  await pump(client, calls);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${client.child.pid}/status`, 'utf8'));
  await client.close();
  return Number(kilobytes) / 1024;
}

/** User and system time of a process; Linux counts in hundredths of a second. */
function cpuMicroseconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
