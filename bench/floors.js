/**
 * What the cheapest programs cost that do what a recorder or a replay cannot leave out: a bare pipe that also writes as many
 * bytes as a tape has, looks once at each, or parses each line; a server that answers from parsed lines. A goal that these
 * miss is out of reach on this machine; where they hold it, what is missing is ours.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, flooded, LineClient, pump } from './line-client.js';
import { inTurns, mapValues } from './measure.js';
import { opened, program, rate, result, tapeIn, WARM_UP } from './replay.js';
import { ANSWERS, COMMANDS, cpuOf, inFlight, large, latency, MEGABYTE } from './stdio.js';
import { INITIALIZED, OPENING } from './tapes.js';

export const name = 'floors';
export const isOnRequest = true;

/** What a pipe does beside forwarding, by the name of its column. */
const PIPES = {
  'that writes': 'writes',
  'and looks': 'writes,looks',
  'and parses': 'writes,parses',
};

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  try {
    return [...(await pipes(folder, quick)), ...(await replays(folder, quick))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function pipes(folder, quick) {
  const scale = quick ? 0.1 : 1;
  const beside = async ({ what, unit, goal, megabytes, task, cost = ({ it }) => it }) => {
    const server = megabytes === undefined ? [ANSWERS] : [ANSWERS, String(megabytes * MEGABYTE)];
    const factor = await tapeFactor(server, folder, megabytes === undefined ? 500 : 2);
    const measures = mapValues(contenders(server, folder, factor), (command) => () => task(command));
    const { direct, ...others } = await inTurns(quick ? 1 : 7, measures);
    const values = mapValues(others, (it) => cost({ direct, it }));
    if (unit === 'µs CPU') return [{ what, unit, values, ratio: values.recorder, goal }];
    const ratios = mapValues(values, (value) => value / values.bare);
    return [
      { what, unit, values },
      { what: `${what}: beside the bare pipe`, unit: '×', values: ratios, ratio: ratios.recorder, goal },
    ];
  };
  const answers = (megabytes, goal) => {
    const calls = Math.ceil((quick ? 5 : 20) / megabytes);
    const task = (command) => large(command, calls, megabytes * MEGABYTE);
    return { what: `${megabytes} MB answers`, unit: 'ms', goal, megabytes, task };
  };
  const together = { what: '64 in flight', unit: 'calls/s', goal: '≥ 0.85' };
  const flood = { what: 'flood of notifications', unit: '1/s', goal: '≥ 0.85' };
  return [
    ...(await beside({
      what: 'one way, added p50',
      unit: 'µs',
      goal: '≤ 1.25',
      task: async (command) => (await latency(command, 3_000 * scale)).p50,
      cost: ({ direct, it }) => (it - direct) / 2,
    })),
    ...(await beside({ ...together, task: (command) => inFlight(command, 40_000 * scale) })),
    ...(await beside({ ...flood, task: (command) => flooded(command, 100_000 * scale) })),
    ...(await beside(answers(1, '≤ 1.25'))),
    ...(await beside(answers(10, '≤ 2'))),
    ...(await beside({
      what: 'a call, 64 in flight',
      unit: 'µs CPU',
      goal: '≤ 7 µs',
      task: (command) => cpuOf(command, 40_000 * scale),
    })),
  ];
}

function contenders(server, folder, factor) {
  const pipe = join(import.meta.dirname, 'floor-pipe.js');
  const file = join(folder, 'written');
  const floors = mapValues(PIPES, (deeds) => [
    pipe,
    deeds,
    String(factor),
    file,
    process.execPath,
    ...server,
  ]);
  const { recorder, ...others } = mapValues(COMMANDS, (command) => command(server, folder));
  return { ...others, ...floors, recorder };
}

/** Bytes on a tape for each that passed. */
async function tapeFactor(server, folder, calls) {
  const command = COMMANDS.recorder(server, folder);
  const client = new LineClient(command);
  await pump(client, calls);
  await client.close();
  return statSync(command[command.indexOf('-o') + 1]).size / (client.bytes + client.child.stdin.bytesWritten);
}

async function replays(folder, quick) {
  const [few, many] = quick ? [100, 1_000] : [1_000, 10_000];
  const calls = quick ? 2_000 : 40_000;
  const servers = (count) => ({
    'parsed lines': [join(import.meta.dirname, 'floor-replay.js'), linesIn(folder, count)],
    replay: [program, 'replay', tapeIn(folder, count)],
  });
  const measure = (commands, task) =>
    inTurns(
      quick ? 1 : 7,
      mapValues(commands, (command) => () => task(command)),
    );
  const together = await measure({ echo: [ANSWERS], ...servers(calls + WARM_UP) }, (command) =>
    rate(command, calls),
  );
  const ratios = mapValues(together, (it) => it / together.echo);
  const short = await measure(servers(few), cpuToStart);
  const long = await measure(servers(many), cpuToStart);
  const starts = mapValues(long, (cost, server) => (cost - short[server]) / (many - few));
  const what = 'replay, 64 in flight';
  return [
    { what, unit: 'calls/s', values: together },
    { what: `${what}: beside the echo`, unit: '×', values: ratios, ratio: ratios.replay, goal: '≥ 0.6' },
    {
      what: 'replay: start, by calls on the tape',
      unit: 'µs CPU a call',
      values: starts,
      ratio: starts.replay,
      goal: '≤ 6 µs a call',
    },
  ];
}

/** What `tapeIn` holds, as lines of JSON. */
export function linesIn(folder, calls) {
  const file = join(folder, `${calls}.jsonl`);
  const opening = [{ method: 'initialize', params: OPENING }, INITIALIZED];
  const all = Array.from({ length: calls }, (_, n) => [{ method: 'tools/call', params: call(n) }, result(n)]);
  writeFileSync(file, [...opening, ...all.flat()].map((said) => `${JSON.stringify(said)}\n`).join(''));
  return file;
}

/** All that a server works until it has answered once; in µs. */
async function cpuToStart(command) {
  const client = await opened(command);
  const worked = client.cpu();
  await client.close();
  return worked;
}
