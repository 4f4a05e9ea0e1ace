/**
 * Recorders of others beside ours, over stdio. They are no dependencies: the bench installs them, at the versions below, into a
 * folder that is gone afterwards, or takes them from the one that ALTERNATIVES names (`node_modules/NAME` in it).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flooded, LineClient, oneByOne, pump } from './line-client.js';
import { inTurns, mapValues, median } from './measure.js';
import { LINES, passed } from './passes.js';

export const name = 'alternatives';
/** It needs the network, so it runs only where it is asked for. */
export const isOnRequest = true;

/** Of the tools in docs/comparison.md those that npm has and that record stdio. */
const PACKAGES = { 'mcp-cassette': '0.4.0' };

const root = join(import.meta.dirname, '..');
const ANSWERS = join(root, 'test', 'fixtures', 'answers.js');
const MEGABYTE = 1024 * 1024;
const KILLED_AFTER = 2_000;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-alternatives-'));
  const commands = contenders(folder, process.env.ALTERNATIVES ?? install(folder));
  const inEach = (rounds, task, ...args) =>
    inTurns(
      rounds,
      mapValues(commands, (command) => () => task(command, ...args)),
    );
  const rounds = quick ? 3 : 9;
  const rows = [];
  const add = (what, unit, values) => rows.push({ what, unit, values });

  const { direct, ...between } = await inEach(rounds, callTime, quick ? 1_000 : 4_000);
  add(
    'one way, added p50',
    'µs',
    mapValues(between, (time) => (time - direct) / 2),
  );
  add('64 in flight', 'calls/s', await inEach(rounds, inFlight, quick ? 5_000 : 20_000));
  add('flood of notifications', '1/s', await inEach(rounds, flood, quick ? 25_000 : 100_000));
  add('10 MB answers', 'ms', await inEach(3, largeAnswer, 10 * MEGABYTE));
  add('start to first answer', 'ms', await inEach(rounds, firstAnswer));
  const { direct: _, bare: __, ...recorders } = await eachOnce(commands, killed);
  add(`messages on file of ${KILLED_AFTER * 2}, after kill -9`, '', recorders);
  const fates = await eachOnce(commands, (command) => passed(command.of));
  for (const what of Object.keys(LINES))
    add(
      `passes: ${what}`,
      '',
      mapValues(fates, (fate) => fate[what]),
    );
  rmSync(folder, { recursive: true });
  return rows;
}

/** Each by its name: `of` is the command for a server's, `file` where the last of them has recorded. */
function contenders(folder, packages) {
  let cassettes = 0;
  const recorder = (script, extension) => {
    const command = {
      file: '',
      of: (server) => {
        command.file = join(folder, `${cassettes++}.${extension}`);
        return [script, 'record', '-o', command.file, '--', process.execPath, ...server];
      },
    };
    return command;
  };
  const others = Object.keys(PACKAGES).map((each) => [each, recorder(binOf(packages, each), 'jsonl')]);
  return {
    direct: { of: (server) => server },
    bare: { of: (server) => [join(root, 'bench', 'bare-pipe.js'), process.execPath, ...server] },
    'mcp-record': recorder(join(root, 'bin', 'mcp-record.js'), 'yaml'),
    ...Object.fromEntries(others),
  };
}

/** Where they were installed to. */
function install(folder) {
  const wanted = Object.entries(PACKAGES).map(([each, version]) => `${each}@${version}`);
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  try {
    execFileSync('npm', ['install', ...options, ...wanted], { stdio: ['ignore', 'ignore', 'pipe'] });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true });
    const why = /npm error (?:code )?(\S+)/.exec(error.stderr)?.[1] ?? error.message;
    throw new Error(
      `Cannot install ${wanted.join(' ')}: npm says ${why}. It needs the network, or a folder with them in its ` +
        'node_modules, named by ALTERNATIVES.',
    );
  }
}

function binOf(packages, each) {
  const folder = join(packages, 'node_modules', each);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[each]);
}

async function eachOnce(commands, task) {
  const done = [];
  for (const [each, command] of Object.entries(commands)) done.push([each, await task(command)]);
  return Object.fromEntries(done);
}

async function callTime(command, calls) {
  const client = new LineClient(command.of([ANSWERS]));
  const times = await oneByOne(client, calls);
  await client.close();
  return median(times) * 1_000;
}

async function inFlight(command, calls) {
  const client = new LineClient(command.of([ANSWERS]));
  await pump(client, calls / 4);
  const began = performance.now();
  await pump(client, calls);
  const seconds = (performance.now() - began) / 1_000;
  await client.close();
  return calls / seconds;
}

const flood = (command, count) => flooded(command.of([ANSWERS]), count, 'burst');

async function largeAnswer(command, bytes) {
  const client = new LineClient(command.of([ANSWERS, String(bytes)]));
  const times = await oneByOne(client, 3, 1);
  await client.close();
  return median(times);
}

async function firstAnswer(command) {
  const began = performance.now();
  const client = new LineClient(command.of([ANSWERS]));
  await client.ask(0);
  const time = performance.now() - began;
  await client.close();
  return time;
}

/** Asks, is answered, and kills at once: how many of the messages are whole on the file. */
async function killed(command) {
  const client = new LineClient(command.of([ANSWERS]));
  await pump(client, KILLED_AFTER);
  client.child.kill('SIGKILL');
  await client.ended;
  if (!command.file) return undefined;
  const isThere = statSync(command.file, { throwIfNoEntry: false });
  const text = isThere ? readFileSync(command.file, 'utf8') : '';
  return text.match(/^(?:- (?:client|server):|.*"frame":.*\}$)/gm)?.length ?? 0;
}
