/** What a recorder costs on stdio, beside the direct connection and a process that only forwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flooded, LineClient, oneByOne, pump } from './line-client.js';
import {
  comparedInBatches,
  comparedInTurns,
  figure,
  inTurns,
  LATENCIES,
  latencies,
  mapValues,
  median,
} from './measure.js';

export const name = 'stdio';

const root = join(import.meta.dirname, '..');
export const MEGABYTE = 1024 * 1024;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const rounds = quick ? 1 : 9;
  const scale = quick ? 0.1 : 1;
  const each = (task, ...args) => mapValues(COMMANDS, (command) => () => task(command([ANSWERS, ...args], folder)));
  const inBatches = (open, ratio, ...args) => comparedInBatches(quick ? QUICK : BATCHES, each(open, ...args), ratio);

  const floodOf = async (what, method) => ({
    what,
    unit: '1/s',
    ...(await comparedInTurns(
      rounds,
      each((command) => flooded(command, 100_000 * scale, method)),
      besideBare,
    )),
    goal: '≥ 0.85',
  });

  const calls = { calls: 200, warmUp: 2_000 * scale };
  const sequential = await inBatches((command) => callingOneByOne(command, calls), addedRatio);
  const together = await inBatches((command) => calling64(command, 8_000 * scale), besideBare);
  const rows = [
    ...LATENCIES.map((name) => ({
      what: `one way, added ${name}`,
      unit: 'µs',
      values: added(figure(sequential.values, name)),
      ratio: sequential.ratio[name],
      ...(name === 'p50' && { goal: '≤ 1.25' }),
    })),
    {
      what: '64 in flight',
      unit: 'calls/s',
      values: figure(together.values, 'rate'),
      ratio: together.ratio.rate,
      goal: '≥ 0.85',
    },
    await floodOf('flood of notifications', 'flood'),
    await floodOf('the same, all said before any is read', 'burst'),
  ];
  for (const [megabytes, goal] of [
    [1, '≤ 1.25'],
    [10, '≤ 2'],
  ]) {
    const bytes = megabytes * MEGABYTE;
    const open = (command) => askingForMuch(command, Math.ceil(5 / megabytes), bytes);
    const what = `${megabytes} MB answers`;
    rows.push({ what, unit: 'ms', ...(await inBatches(open, besideBare, String(bytes))), goal });
  }
  const ends = await comparedInTurns(rounds, each(startAndStop), ({ recorder, direct }) => recorder / direct);
  for (const [what, name, goal] of [
    // 45 ms more where the server is there in 27.
    ['start to first answer', 'start', '≤ 2.67'],
    ['end of input to exit', 'stop'],
  ]) {
    rows.push({ what, unit: 'ms', values: figure(ends.values, name), ratio: ends.ratio[name], goal });
  }
  const { direct: _server, ...cpu } = figure(together.values, 'cpu');
  rows.push({
    what: 'CPU a call, 64 in flight',
    unit: 'µs',
    values: cpu,
    ratio: cpu.recorder,
    goal: '≤ 7 µs',
  });
  const { direct: _ours, ...memory } = await inTurns(
    rounds,
    each((command) => memoryAfter(command, 100_000 * scale)),
  );
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

/** So often contenders are started, and so often it is each one's turn then. */
const BATCHES = { rounds: 5, turns: 12 };
export const QUICK = { rounds: 1, turns: 3 };

/** What a process between adds to one of the two ways. */
export function added({ direct, ...between }) {
  return { direct, ...mapValues(between, (it) => (it - direct) / 2) };
}

export function addedRatio({ direct, bare, recorder }) {
  return (recorder - direct) / (bare - direct);
}

function besideBare({ bare, recorder }) {
  return recorder / bare;
}

export const ANSWERS = join(root, 'test', 'fixtures', 'answers.js');

let cassettes = 0;
export const COMMANDS = {
  direct: (server) => server,
  bare: (server) => [join(root, 'bench', 'bare-pipe.js'), process.execPath, ...server],
  recorder: (server, folder) => {
    const file = join(folder, `${cassettes++}.yaml`);
    return [join(root, 'bin', 'mcp-record.js'), 'record', '-o', file, '--', process.execPath, ...server];
  },
};

/** A contender that stays: a turn is so many calls, each after the answer to the one before. `settle` is told when it is warm. */
export async function callingOneByOne(command, { calls, warmUp, settle = () => {} }) {
  const client = new LineClient(command);
  await oneByOne(client, 0, warmUp);
  settle(client.child.pid);
  return {
    measure: async () => {
      const times = await oneByOne(client, calls, UNCOUNTED);
      if (!client.last.includes(`"n":${calls + UNCOUNTED - 1}`)) throw new Error(`not an answer: ${client.last}`);
      return latencies(times);
    },
    close: () => client.close(),
  };
}
/** The first calls of a turn find the caches cold that others have used. */
const UNCOUNTED = 20;

/** The same with 64 calls in flight: calls in a second, and what each costs the contender, in µs. */
export async function calling64(command, calls) {
  const client = new LineClient(command);
  await pump(client, calls * 2);
  return {
    measure: async () => {
      const [began, before] = [performance.now(), client.cpu()];
      await pump(client, calls);
      const seconds = (performance.now() - began) / 1_000;
      return { rate: calls / seconds, cpu: (client.cpu() - before) / calls };
    },
    close: () => client.close(),
  };
}

/** The same with answers of so many bytes, one at a time; in ms. */
export async function askingForMuch(command, calls, bytes) {
  const client = new LineClient(command);
  await oneByOne(client, 0, calls * 5);
  return {
    measure: async () => median(await oneByOne(client, calls, 1)),
    close: async () => {
      await client.close();
      if (client.bytes < bytes * client.lines) throw new Error(`${client.bytes} bytes came in ${client.lines} lines`);
      // Whoever writes gigabytes waits for the disk, which no session does.
      if (command.includes('-o')) rmSync(command[command.indexOf('-o') + 1]);
    },
  };
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

async function memoryAfter(command, calls) {
  const client = new LineClient(command);
  await pump(client, calls);
  const memory = client.memory();
  await client.close();
  return memory;
}
