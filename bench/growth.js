/** How cost grows: what ten times as much costs, by messages, sessions, cassettes and rules. 10 is in proportion, 1 is flat. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manySessions, through } from './http.js';
import { LineClient, oneByOne, pump } from './line-client.js';
import { inTurns, median } from './measure.js';

export const name = 'growth';

const root = join(import.meta.dirname, '..');
const program = join(root, 'bin', 'mcp-record.js');
const answers = join(root, 'test', 'fixtures', 'answers.js');

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const rounds = quick ? 1 : 5;
  const grow = async ({ what, unit, sizes, goal, measure }) => {
    const values = await inTurns(rounds, Object.fromEntries(sizes.map((size) => [size, () => measure(size)])));
    const [most, before] = sizes.toReversed().map((size) => values[size]);
    const by = sizes.at(-1) / sizes.at(-2);
    return {
      what,
      unit,
      values: { sizes: sizes.map(short).join(', '), ...columns(sizes, values) },
      ratio: most / before,
      goal: goal(by),
    };
  };
  const flat = () => '≤ 1.3';
  const inProportion = (by) => `≤ ${by * 1.3}`;
  let files = 0;
  const recorder = (...args) => [
    program,
    'record',
    '-o',
    join(folder, `${files++}.yaml`),
    '--',
    process.execPath,
    answers,
    ...args,
  ];
  const rule = ['--fault', 'latency:x/y:delay=0'];
  try {
    return [
      await grow({
        what: 'a recorded answer, by its bytes',
        unit: 'ms',
        sizes: quick ? [100_000, 1_000_000] : [100_000, 1_000_000, 10_000_000],
        goal: inProportion,
        measure: (bytes) => answerTime(recorder(String(bytes))),
      }),
      await grow({
        what: 'a recorded call, by calls before it',
        unit: 'µs CPU',
        sizes: quick ? [1_000, 10_000] : [1_000, 10_000, 100_000],
        goal: flat,
        measure: (calls) => cpuOfCall(recorder(), calls),
      }),
      await grow({
        what: 'memory of a recorder, by calls',
        unit: 'MB',
        sizes: quick ? [1_000, 10_000] : [1_000, 10_000, 100_000],
        goal: flat,
        measure: (calls) => memoryAfter(recorder(), calls),
      }),
      await grow({
        what: 'loading a cassette, by events',
        unit: 'ms CPU',
        sizes: quick ? [100, 1_000, 10_000] : [100, 1_000, 10_000, 100_000],
        goal: inProportion,
        measure: loadTime,
      }),
      await grow({
        what: 'streaming a cassette, by events',
        unit: 'MB',
        sizes: quick ? [1_000, 10_000] : [10_000, 100_000, 1_000_000],
        goal: flat,
        measure: (events) => streamMemory(events, join(folder, 'stream.yaml')),
      }),
      await grow({
        what: 'a recorded call over HTTP, by sessions',
        unit: 'µs',
        sizes: [1, 10, 100],
        goal: flat,
        measure: (count) =>
          through('recorder', folder, async (url) => 1e6 / (await manySessions(url, count, 1_000 / count))),
      }),
      await grow({
        what: 'a call through a proxy, by rules',
        unit: 'µs',
        sizes: [1, 10, 100],
        goal: inProportion,
        measure: (rules) =>
          callTime(
            [program, 'proxy', ...Array(rules).fill(rule).flat(), '--', process.execPath, answers],
            quick ? 200 : 4_000,
          ),
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Rows differ in their sizes: they are told by their rank. */
function columns(sizes, values) {
  return Object.fromEntries(
    sizes
      .toReversed()
      .map((size, rank) => [COLUMNS[rank], values[size]])
      .reverse(),
  );
}
const COLUMNS = ['most', 'before', 'before that', 'least'];

const short = (size) => size.toLocaleString('en', { notation: 'compact' });

async function answerTime(command) {
  const client = new LineClient(command);
  const times = await oneByOne(client, 5, 2);
  await client.close();
  return median(times);
}

/** What a call costs that comes after so many. */
async function cpuOfCall(command, calls) {
  const client = new LineClient(command);
  await pump(client, calls);
  const before = client.cpu();
  await pump(client, 20_000, calls);
  const used = client.cpu() - before;
  await client.close();
  return used / 20_000;
}

async function memoryAfter(command, calls) {
  const client = new LineClient(command);
  await pump(client, calls);
  const memory = client.memory();
  await client.close();
  return memory;
}

/** In a process of its own: another's collector would look through all that was made before. */
function loadTime(events) {
  const script = join(root, 'bench', 'cassette-load.js');
  return Number(execFileSync(process.execPath, [script, String(events)], { encoding: 'utf8' }));
}

function streamMemory(events, file) {
  const peak = (task) =>
    Number(
      execFileSync(process.execPath, [join(root, 'bench', 'cassette-memory.js'), task, String(events), file], {
        encoding: 'utf8',
      }),
    );
  peak('write');
  return peak('stream');
}

async function callTime(command, calls) {
  const client = new LineClient(command);
  const times = await oneByOne(client, calls);
  await client.close();
  return median(times) * 1_000;
}
