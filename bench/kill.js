/**
 * `node bench/kill.js [--rounds N] [--seed N] [--bytes N] [--json]`: kills a recorder with SIGKILL at random moments of a busy
 * session and looks at what is in the cassette. A client calls, one call at a time, and kills the recorder as it hears an answer: all
 * before that call must be in the cassette, which must load. With `--bytes` the answers are so long, and the calls fewer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { loadCassette } from '../dist/cassette/read/load-cassette.js';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    bytes: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const CALLS_MAX = options.bytes === undefined ? 2_000 : 5;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'mcp-record-kill-'));
const random = generator(Number(options.seed));

const rounds = [];
for (let round = 1; round <= Number(options.rounds); round++) {
  const calls = 1 + Math.floor(random() * CALLS_MAX);
  rounds.push({ round, calls, ...(await kill(join(folder, `${round}.yaml`), calls)) });
}
rmSync(folder, { recursive: true });

const lost = rounds.filter(({ recorded, calls }) => recorded < calls - 1).length;
const summary = {
  seed: Number(options.seed),
  kills: rounds.length,
  loaded: rounds.filter(({ recorded }) => recorded >= 0).length,
  torn: rounds.filter(({ torn }) => torn).length,
  withLostCalls: lost,
};
console.log(
  options.json
    ? JSON.stringify(summary)
    : Object.entries(summary)
        .map(([key, value]) => `${key}: ${value}`)
        .join('\n'),
);
process.exitCode = lost > 0 || summary.loaded < summary.kills ? 1 : 0;

/** Answers in the cassette after the recorder was killed while the client heard answer number `calls`. */
async function kill(file, calls) {
  const server = join(root, 'test', 'fixtures', 'answers.js');
  const recorder = spawn(process.execPath, [
    join(root, 'bin', 'mcp-record.js'),
    'record',
    '-o',
    file,
    '--',
    process.execPath,
    server,
    ...(options.bytes === undefined ? [] : [options.bytes]),
  ]);
  recorder.stdin.on('error', () => {});
  const ended = once(recorder, 'close');
  const say = (id) =>
    recorder.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'a', arguments: { id } } })}\n`,
    );
  let heard = 0;
  createInterface({ input: recorder.stdout }).on('line', () => {
    heard++;
    if (heard === calls) recorder.kill('SIGKILL');
    else say(heard);
  });
  say(0);
  await ended;
  const { events, warnings } = loadCassette(file);
  const answers = events.filter(({ frame }) => frame.kind === 'message' && frame.from === 'server');
  const isWhole = ({ text, arguments: said }, n) =>
    options.bytes === undefined ? said.id === n : text.length === Number(options.bytes);
  const inOrder = answers.every(({ frame: { json } }, n) => json.value.id === n && isWhole(json.value.result, n));
  return { recorded: inOrder ? answers.length : -1, torn: warnings.length > 0 };
}

/** The same numbers for the same seed (mulberry32). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
