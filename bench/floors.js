/**
 * What the cheapest programs cost that do what a recorder or a replay cannot leave out: a bare pipe that also writes as many
 * bytes as a cassette has, looks once at each, or parses each line; a server that answers from parsed lines, or from a cassette that it only
 * read and parsed. All do it in the turn in which it passed: a goal that these miss is out of reach on this machine for whoever does not
 * leave it for later; where they hold it, what is missing is ours.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INITIALIZED, OPENING } from './cassettes.js';
import { call, flooded, LineClient, pump } from './line-client.js';
import { comparedInBatches, comparedInTurns, figure, inTurns, mapValues } from './measure.js';
import { canPlace, childrenOf, place } from './processors.js';
import { cassetteIn, opened, program, rate, result, WARM_UP } from './replay.js';
import {
  ANSWERS,
  added,
  addedRatio,
  askingForMuch,
  COMMANDS,
  calling64,
  callingOneByOne,
  MEGABYTE,
  QUICK,
} from './stdio.js';

export const name = 'floors';
export const isOnRequest = true;

const FLOOR_REPLAY = join(import.meta.dirname, 'floor-replay.js');

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
  const batches = quick ? QUICK : { rounds: 3, turns: 10 };
  const compare = async (open, { megabytes, ratio = besideBare, often = batches } = {}) => {
    const server = megabytes === undefined ? [ANSWERS] : [ANSWERS, String(megabytes * MEGABYTE)];
    const factor = await cassetteFactor(server, folder, megabytes === undefined ? 500 : 2);
    const opened = mapValues(contenders(server, folder, factor), (command) => () => open(command));
    return comparedInBatches(often, opened, ratio);
  };
  const large = (megabytes) =>
    compare((command) => askingForMuch(command, Math.ceil(5 / megabytes), megabytes * MEGABYTE), {
      megabytes,
    });

  const calls = { calls: 200, warmUp: 2_000 * scale };
  const sequential = await compare((command) => callingOneByOne(command, calls), { ratio: addedBesideBare });
  const placed = canPlace() ? await byPlace(calls, compare) : [];
  const together = await compare((command) => calling64(command, 8_000 * scale));
  const { direct: _server, ...cpu } = figure(together.values, 'cpu');
  const burst = await compare(
    async (command) => ({ measure: () => flooded(command, 100_000 * scale, 'burst'), close() {} }),
    { often: { rounds: quick ? 1 : 5, turns: 1 } },
  );
  const oneWay = { values: added(figure(sequential.values, 'p50')), ratio: sequential.ratio.p50 };
  const rates = { values: figure(together.values, 'rate'), ratio: together.ratio.rate };
  return [
    ...rows('one way, added p50', 'µs', oneWay, '≤ 1.25'),
    ...placed,
    ...rows('64 in flight', 'calls/s', rates, '≥ 0.85'),
    ...rows('notifications, all said before any is read', '1/s', burst, '≥ 0.85'),
    ...rows('1 MB answers', 'ms', await large(1), '≤ 1.25'),
    ...rows('10 MB answers', 'ms', await large(10), '≤ 2'),
    { what: 'CPU a call, 64 in flight', unit: 'µs', values: cpu, ratio: cpu.recorder, goal: '≤ 7 µs' },
  ];
}

/** Where the system puts a program is its own affair, and what a recorder costs those who wait depends on it. */
const PLACES = {
  'all on one processor': { peers: '0', between: '0' },
  'peers on one, what is between on another': { peers: '0', between: '1' },
};

async function byPlace(calls, compare) {
  const all = [];
  for (const [where, { peers, between }] of Object.entries(PLACES)) {
    const before = place(process.pid, peers);
    const settle = (pid) => {
      const servers = childrenOf(pid);
      place(pid, servers.length > 0 ? between : peers);
      for (const server of servers) place(server, peers);
    };
    const open = (command) => callingOneByOne(command, { ...calls, settle });
    const { values, ratio } = await compare(open, { ratio: addedBesideBare });
    all.push(...rows(`one way, ${where}`, 'µs', { values: added(figure(values, 'p50')), ratio: ratio.p50 }));
    place(process.pid, before);
  }
  return all;
}

/** What was measured, and beside the bare pipe. */
function rows(what, unit, { values, ratio }, goal) {
  return [
    { what, unit, values },
    { what: `${what}: beside the bare pipe`, unit: '×', values: ratio, ratio: ratio.recorder, goal },
  ];
}

function besideBare({ direct: _, ...turn }) {
  return mapValues(turn, (it) => it / turn.bare);
}

function addedBesideBare({ direct, ...turn }) {
  return mapValues(turn, (it) => addedRatio({ direct, bare: turn.bare, recorder: it }));
}

function contenders(server, folder, factor) {
  const pipe = join(import.meta.dirname, 'floor-pipe.js');
  const file = join(folder, 'written');
  const floors = mapValues(PIPES, (deeds) => [pipe, deeds, String(factor), file, process.execPath, ...server]);
  const { recorder, ...others } = mapValues(COMMANDS, (command) => command(server, folder));
  return { ...others, ...floors, recorder };
}

/** Bytes in a cassette for each that passed. */
async function cassetteFactor(server, folder, calls) {
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
    'parsed lines': [FLOOR_REPLAY, linesIn(folder, count)],
    'parsed cassette': [FLOOR_REPLAY, cassetteIn(folder, count)],
    replay: [program, 'replay', cassetteIn(folder, count)],
  });
  const each = (commands, task) => mapValues(commands, (command) => () => task(command));
  const rounds = quick ? 1 : 5;
  const together = await comparedInTurns(
    rounds,
    each({ echo: [ANSWERS], ...servers(calls + WARM_UP) }, (command) => rate(command, calls)),
    (turn) => mapValues(turn, (it) => it / turn.echo),
  );
  const short = await inTurns(rounds, each(servers(few), cpuToStart));
  const long = await inTurns(rounds, each(servers(many), cpuToStart));
  const starts = mapValues(long, (cost, server) => (cost - short[server]) / (many - few));
  const what = 'replay, 64 in flight';
  return [
    { what, unit: 'calls/s', values: together.values },
    {
      what: `${what}: beside the echo`,
      unit: '×',
      values: together.ratio,
      ratio: together.ratio.replay,
      goal: '≥ 0.6',
    },
    {
      what: 'replay: start, by calls in the cassette',
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
