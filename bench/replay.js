/** What a replayed server costs on stdio, beside one that echoes lines and one on the SDK; and what a longer cassette adds. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cassetteOf, OPENING } from './cassettes.js';
import { call, LineClient, oneByOne, pump } from './line-client.js';
import { comparedInBatches, comparedInTurns, figure, inTurns, LATENCIES, latencies, mapValues } from './measure.js';

export const name = 'replay';

const root = join(import.meta.dirname, '..');
export const program = join(root, 'bin', 'mcp-record.js');
/** So many calls go before those that count. */
export const WARM_UP = 500;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  try {
    const rounds = quick ? 1 : 9;
    const replay = (calls) => [program, 'replay', cassetteIn(folder, calls)];
    return [...(await besideServers(rounds, quick ? 1_000 : 10_000, replay)), ...(await byLength(rounds, replay))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const result = (n) => ({ content: [{ type: 'text', text: `hello ${n}` }] });

/** A cassette whose call `n` is the `n`-th that the client makes. */
export function cassetteIn(folder, calls) {
  const file = join(folder, `${calls}.yaml`);
  writeFileSync(file, cassetteOf(calls, { params: call, result }));
  return file;
}

async function besideServers(rounds, calls, replay) {
  const short = replay(100);
  const long = replay(calls + WARM_UP);
  // As many as a recorder's rate is measured with: the first two thousand are not compiled yet.
  const many = 4 * calls;
  const longer = replay(many + WARM_UP);
  const servers = (cassette) => ({
    echo: [join(root, 'test', 'fixtures', 'answers.js')],
    'sdk server': [join(root, 'bench', 'sdk-server.js')],
    replay: cassette,
  });
  const each = (commands, task) => mapValues(commands, (command) => () => task(command));
  const ratio = ({ echo, replay: ours }) => ours / echo;
  const start = await comparedInTurns(rounds, each(servers(short), timeToStart), ratio);
  const turns = 20;
  const oneAtATime = await comparedInBatches(
    { rounds: Math.ceil(rounds / 2), turns },
    each(servers(long), (command) => callingInTurn(command, calls / turns)),
    ratio,
  );
  const together = await comparedInTurns(
    rounds,
    each(servers(longer), (command) => rate(command, many)),
    ratio,
  );
  return [
    // 65 ms where the echo is there in 30.
    { what: 'start to first answer', unit: 'ms', ...start, goal: '≤ 2.17' },
    ...LATENCIES.map((name) => ({
      what: `a call, ${name}`,
      unit: 'µs',
      values: figure(oneAtATime.values, name),
      ratio: oneAtATime.ratio[name],
      ...(name === 'p50' && { goal: '≤ 1.3' }),
    })),
    { what: '64 in flight', unit: 'calls/s', ...together, goal: '≥ 0.6' },
  ];
}

async function byLength(rounds, replay) {
  const cassettes = { 100: replay(100), '1,000': replay(1_000), '10,000': replay(10_000) };
  const start = await inTurns(
    rounds,
    mapValues(cassettes, (cassette) => () => timeToStart(cassette)),
  );
  const calls = await inTurns(
    rounds,
    mapValues(cassettes, (cassette) => () => latencyAtTheEnd(cassette)),
  );
  const more = ((start['10,000'] - start['1,000']) * 1_000) / 9_000;
  return [
    {
      what: 'a call, by calls in the cassette',
      unit: 'µs',
      values: calls,
      ratio: calls['10,000'] / calls[100],
      goal: '≤ 1.2',
    },
    {
      what: 'start, by calls in the cassette',
      unit: 'ms',
      values: start,
      ratio: `${more.toFixed(1)} µs`,
      goal: '≤ 6 µs a call',
    },
  ];
}

export async function opened(command) {
  const client = new LineClient(command);
  await client.ask('open', 'initialize', OPENING);
  return client;
}

async function timeToStart(command) {
  const began = performance.now();
  const client = await opened(command);
  const took = performance.now() - began;
  await client.close();
  return took;
}

/** A contender that stays: a turn is so many calls, which go on where the last ended. */
async function callingInTurn(command, calls) {
  const client = await opened(command);
  await oneByOne(client, WARM_UP, 0);
  let said = WARM_UP;
  return {
    measure: async () => {
      const times = await oneByOne(client, calls, 0, said);
      said += calls;
      return latencies(times);
    },
    close: () => closeAfter(client, said),
  };
}

/** The median of a hundred calls of a cassette that has been played to its last hundred. */
async function latencyAtTheEnd(command) {
  const calls = Number(/(\d+)\.yaml$/.exec(command.at(-1))[1]);
  const client = await opened(command);
  await pump(client, calls - 100);
  const times = [];
  for (let n = calls - 100; n < calls; n++) {
    const began = performance.now();
    await client.ask(n);
    times.push(performance.now() - began);
  }
  await closeAfter(client, calls);
  return latencies(times).p50;
}

export async function rate(command, calls) {
  const client = await opened(command);
  await pump(client, WARM_UP);
  const began = performance.now();
  await pump(client, calls, WARM_UP);
  const seconds = (performance.now() - began) / 1_000;
  await closeAfter(client, calls + WARM_UP);
  return calls / seconds;
}

/** Ends a session of so many calls, of which none may be lost, and the last must have its own answer. */
async function closeAfter(client, calls) {
  await client.close();
  const last = String(client.last).trimEnd().split('\n').at(-1);
  if (client.lines !== calls + 1) throw new Error(`${client.lines} answers came of ${calls + 1}`);
  const { id, result } = JSON.parse(last);
  if (!JSON.stringify(result).includes(String(id))) throw new Error(`not the answer to ${id}: ${last}`);
}
