/**
 * Runs tests with Node for Windows under wine, and prints the counts by folder: `node .ci/windows-tests.js [FOLDER|FILE…]`, after a
 * build. Without a folder it takes `FOLDERS`; `all` takes every test of the project `sources`, `programs` every other one that is not
 * long, and `long` the long ones. Ends with 1 if a test failed, other than those of `WINE`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { libraryOfForwards } from './forwarding-library.js';
import { endAll, inWine, nodeForWindows, onZ, root, unpacked } from './wine.js';

/** Folders and files about files, programs, paths or sockets, where Windows can differ. */
const FOLDERS = [
  ...['kernel', 'transports', 'modes', 'record/http', 'cli/wrap'],
  // The rest of these rooms handles text alone.
  ...['read/load-cassette', 'read/cassette-follower', 'read/stream-cassette'].map((name) => `cassette/${name}.test.ts`),
  ...['write/cassette-file', 'write/atomic-write'].map((name) => `cassette/${name}.test.ts`),
  'record/writer/open-file-pool.test.ts',
];
/** Projects of vitest.config.ts, by the word that runs all of them. */
const PROJECTS = { all: ['sources'], programs: ['programs', 'alone'], long: ['long', 'long-alone'] };
/** The tests of sources take ten minutes, those of programs half an hour. */
const TESTS_TIMEOUT = 5_400_000;
const LINE = '22';
const VITEST = 'node_modules/vitest/vitest.mjs';
/** End of the titles that are skipped on Windows: see test/support/on-posix.ts. */
const POSIX = /\(POSIX: [^)]+\)/;
/** Tests that fail under wine 8, by their titles, and why it is wine. */
const WINE = {
  ...Object.fromEntries(
    [
      'speaks 2026-07-28 to a real server',
      'asks a server of 2026-07-28, which has no handshake',
      'is left when the cassette leaves it, over HTTP',
      'is cancelled when the cassette leaves it, over stdio',
      "'a server of 2026-07-28': is recorded, and replayed",
      "is a session with 'a server of 2026-07-28' as it is without, and is replayed offline",
    ].map((title) => [title, 'a program that asks for its title ends']),
  ),
  'a connection ends as the other one did, when all was heard': 'a reset right after data arrives as an end',
  'a client that reads slowly makes the server wait, and gets all there is':
    'a socket takes any number of bytes at once',
  'gives no number of a match twice where two processes are busy at once':
    'two processes that append overwrite each other',
};

const wanted = process.argv.slice(2);
const asProjects = wanted.flatMap((name) => PROJECTS[name] ?? []);
const projects = asProjects.length > 0 ? asProjects : ['sources', 'programs', 'alone'];
const folders = wanted.filter((name) => !(name in PROJECTS));
const pathOf = (name) => (name.endsWith('.ts') ? `test/${name}` : `test/${name}/`);
const paths = (wanted.length > 0 ? folders : FOLDERS).map(pathOf);

/** The parts of vitest that are programs of a system, in the version that is installed here. */
const BINDINGS = {
  '@rolldown/binding-win32-x64-msvc': 'rolldown',
  'lightningcss-win32-x64-msvc': 'lightningcss',
};
const version = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

function prepare({ folder, env }) {
  const modules = join(folder, 'modules');
  for (const [name, of] of Object.entries(BINDINGS)) unpacked(`${name}@${version(of)}`, join(modules, name));
  // The random numbers that programs in Rust ask for. Wine has them since 9.
  const system = join(env.WINEPREFIX, 'drive_c', 'windows', 'system32');
  const library = join(system, 'bcryptprimitives.dll');
  if (!existsSync(library))
    writeFileSync(library, libraryOfForwards('bcryptprimitives', { ProcessPrng: 'advapi32.SystemFunction036' }));
  const preload = join(folder, 'preload.cjs');
  // Without it `fetch` fails in wine 8: it knows no such option of a socket.
  writeFileSync(preload, "require('node:net').Socket.prototype.setKeepAlive = function () { return this; };\n");
  return { ...env, NODE_PATH: onZ(modules), NODE_OPTIONS: `--require=Z:${preload}`, NO_COLOR: '1' };
}

async function results(wine) {
  const node = nodeForWindows(LINE, join(wine.folder, 'node'));
  // Wine puts the folder of `node` on the PATH of Windows: scripts name it in their first line.
  const env = { ...prepare(wine), WINEPATH: onZ(dirname(node)) };
  const report = join(wine.folder, 'report.json');
  const output = join(wine.folder, 'output');
  const args = [
    node,
    VITEST,
    ...['run', ...projects.flatMap((name) => ['--project', name])],
    ...['--pool', 'threads', '--maxWorkers', '2', '--testTimeout', '300000'],
    ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', onZ(report)],
    ...paths,
  ];
  const said = openSync(output, 'w');
  const child = spawn('wine', args, { cwd: root, env, stdio: ['ignore', said, said], timeout: TESTS_TIMEOUT });
  const ended = once(child, 'close');
  // Under wine 8, a worker may not end: then vitest does not either, though its report is there.
  const reported = (async () => {
    while (!existsSync(report) || statSync(report).size === 0) await wait(500, undefined, { ref: false });
    await wait(5000, undefined, { ref: false });
  })();
  await Promise.race([ended, reported]);
  endAll(env);
  await ended;
  if (!existsSync(report)) throw new Error(`vitest made no report:\n${readFileSync(output, 'utf8')}`);
  return JSON.parse(readFileSync(report, 'utf8')).testResults;
}

/** Counts tests by the folder of `test/` that they are in, and prints each that failed. */
function counted(files) {
  const counts = {};
  for (const { name, status, message, assertionResults } of files) {
    const path = name.slice(`Z:${root}/`.length);
    const room = path.split('/')[1];
    counts[room] ??= { passed: 0, failed: 0, wine: 0, posix: 0, skipped: 0 };
    const count = counts[room];
    const failures = assertionResults.filter((test) => test.status === 'failed' && !(test.title in WINE));
    for (const test of assertionResults) {
      if (test.status === 'passed') count.passed++;
      else if (test.status === 'failed') count[test.title in WINE ? 'wine' : 'failed']++;
      else count[POSIX.test(test.fullName) ? 'posix' : 'skipped']++;
    }
    for (const test of failures) console.log(`FAILED ${path} > ${test.fullName}\n${test.failureMessages.join('\n')}\n`);
    if (status === 'failed' && assertionResults.every((test) => test.status !== 'failed')) {
      count.failed++;
      console.log(`FAILED ${path}\n${message}\n`);
    }
  }
  return counts;
}

// Its setup bundles the SDKs, and makes links that wine cannot make.
execFileSync(process.execPath, [VITEST, 'run', 'test/kernel/format-count.test.ts'], { cwd: root, stdio: 'ignore' });
const counts = counted(await inWine(results));
const total = {};
for (const count of Object.values(counts))
  for (const [what, n] of Object.entries(count)) total[what] = (total[what] ?? 0) + n;
console.table({ ...Object.fromEntries(Object.entries(counts).sort()), total });
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
