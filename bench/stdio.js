/** What a recorder costs on stdio, beside the direct connection and a process that only forwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flooded, LineClient, oneByOne, pump } from './line-client.js';
import { figure, inTurns, LATENCIES, latencies, mapValues, median } from './measure.js';

export const name = 'stdio';

const root = join(import.meta.dirname, '..');
export const MEGABYTE = 1024 * 1024;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const rounds = quick ? 1 : 9;
  const scale = quick ? 0.1 : 1;
  const measure = (task, ...args) =>
    inTurns(
      rounds,
      mapValues(COMMANDS, (command) => () => task(command([ANSWERS, ...args], folder))),
    );

  const rows = [];
  const sequential = await measure((command) => latency(command, 4_000 * scale));
  for (const name of LATENCIES) {
    const goal = name === 'p50' ? '≤ 1.25' : undefined;
    rows.push({ what: `one way, added ${name}`, unit: 'µs', ...added(figure(sequential, name)), goal });
  }
  const parallel = await measure((command) => inFlight(command, 40_000 * scale));
  rows.push({ what: '64 in flight', unit: 'calls/s', ...besideBare(parallel), goal: '≥ 0.85' });
  const flood = await measure((command) => flooded(command, 100_000 * scale));
  rows.push({ what: 'flood of notifications', unit: '1/s', ...besideBare(flood), goal: '≥ 0.85' });
  for (const [megabytes, goal] of [
    [1, '≤ 1.25'],
    [10, '≤ 2'],
  ]) {
    const calls = Math.ceil((quick ? 10 : 30) / megabytes);
    const bytes = megabytes * MEGABYTE;
    const values = await measure((command) => large(command, calls, bytes), String(bytes));
    rows.push({ what: `${megabytes} MB answers`, unit: 'ms', ...besideBare(values), goal });
  }
  const ends = await measure(startAndStop);
  for (const [what, values, goal] of [
    // 45 ms more where the server is there in 27.
    ['start to first answer', figure(ends, 'start'), '≤ 2.67'],
    ['end of input to exit', figure(ends, 'stop')],
  ]) {
    rows.push({ what, unit: 'ms', values, ratio: values.recorder / values.direct, goal });
  }
  const { direct: _server, ...cpu } = await measure((command) => cpuOf(command, 40_000 * scale));
  rows.push({
    what: 'CPU a call, 64 in flight',
    unit: 'µs',
    values: cpu,
    ratio: cpu.recorder,
    goal: '≤ 7 µs',
  });
  const { direct: _ours, ...memory } = await measure((command) => memoryAfter(command, 100_000 * scale));
  rows.push({
    what: 'resident after the calls',
    unit: 'MB',
    values: memory,
    ratio: memory.recorder,
    goal: '≤ 64 MB',
  });
  rmSync(folder, { recursive: true });
  return rows;
}

/** What a process between adds to one of the two ways, and how that compares. */
function added({ direct, bare, recorder }) {
  const values = { bare: (bare - direct) / 2, recorder: (recorder - direct) / 2 };
  return { values: { direct, ...values }, ratio: values.recorder / values.bare };
}

function besideBare(values) {
  return { values, ratio: values.recorder / values.bare };
}

export const ANSWERS = join(root, 'test', 'fixtures', 'answers.js');

let tapes = 0;
export const COMMANDS = {
  direct: (server) => server,
  bare: (server) => [join(root, 'bench', 'bare-pipe.js'), process.execPath, ...server],
  recorder: (server, folder) => {
    const file = join(folder, `${tapes++}.yaml`);
    return [join(root, 'bin', 'mcp-record.js'), 'record', '-o', file, '--', process.execPath, ...server];
  },
};

export async function latency(command, calls) {
  const client = new LineClient(command);
  const times = await oneByOne(client, calls);
  if (!client.last.includes(`"n":${client.lines - 1}`)) throw new Error(`not an answer: ${client.last}`);
  await client.close();
  return latencies(times);
}

export async function large(command, calls, bytes) {
  const client = new LineClient(command);
  const times = await oneByOne(client, calls);
  await client.close();
  if (client.bytes < bytes * client.lines)
    throw new Error(`${client.bytes} bytes came in ${client.lines} lines`);
  return median(times);
}

export async function inFlight(command, calls) {
  const client = new LineClient(command);
  await pump(client, calls / 4);
  const began = performance.now();
  await pump(client, calls);
  const seconds = (performance.now() - began) / 1_000;
  await client.close();
  return calls / seconds;
}

/** How long until there is an answer, and how long the end takes once it is asked for; in ms. */
async function startAndStop(command) {
  const began = performance.now();
  const client = new LineClient(command);
  await client.ask(0);
  const start = performance.now() - began;
  const ending = performance.now();
  await client.close();
  return { start, stop: performance.now() - ending };
}

export async function cpuOf(command, calls) {
  const client = new LineClient(command);
  await pump(client, calls / 4);
  const before = client.cpu();
  await pump(client, calls);
  const after = client.cpu();
  await client.close();
  return (after - before) / calls;
}

async function memoryAfter(command, calls) {
  const client = new LineClient(command);
  await pump(client, calls);
  const memory = client.memory();
  await client.close();
  return memory;
}
