/**
 * Runs tests on Node for Windows under wine, and prints how many passed by folder: `node .ci/windows-tests.js [FOLDER…]`, after a
 * build. Without a folder it takes those of `FOLDERS`; `all` stands for each test of sources. Ends with 1 where a test failed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { libraryOfForwards } from './forwarding-library.js';
import { inWine, nodeForWindows, onZ, PATIENCE, root, unpacked } from './wine.js';

/** Folders with files, programs, paths or sockets, where Windows can differ. */
const FOLDERS = ['kernel', 'cassette', 'transports', 'redact', 'edit', 'record', 'modes'];
const LINE = '22';
/** What the titles of tests end with that are skipped on Windows: see test/support/on-posix.ts. */
const POSIX = /\(POSIX: [^)]+\)/;

const wanted = process.argv.slice(2);
const folders = wanted.includes('all') ? [] : (wanted.length > 0 ? wanted : FOLDERS).map((name) => `test/${name}/`);

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
  const env = prepare(wine);
  const report = join(wine.folder, 'report.json');
  const output = join(wine.folder, 'output');
  const args = [
    nodeForWindows(LINE, join(wine.folder, 'node')),
    'node_modules/vitest/vitest.mjs',
    ...['run', '--project', 'sources', '--pool', 'threads', '--maxWorkers', '2'],
    ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', onZ(report)],
    ...folders,
  ];
  const said = openSync(output, 'w');
  const child = spawn('wine', args, { cwd: root, env, stdio: ['ignore', said, said], timeout: PATIENCE });
  const ended = once(child, 'close');
  // Under wine 8, a worker may not end: then vitest does not either, though its report is there.
  const reported = (async () => {
    while (!existsSync(report) || statSync(report).size === 0) await wait(500, undefined, { ref: false });
    await wait(5000, undefined, { ref: false });
  })();
  await Promise.race([ended, reported]);
  execFileSync('wineserver', ['-k'], { env });
  await ended;
  if (!existsSync(report)) throw new Error(`vitest made no report:\n${readFileSync(output, 'utf8')}`);
  return JSON.parse(readFileSync(report, 'utf8')).testResults;
}

/** Counts tests by the folder of `test/` that they are in, and prints each that failed. */
function counted(files) {
  const counts = {};
  for (const { name, status, message, assertionResults } of files) {
    const path = name.slice(name.lastIndexOf('/test/') + 1);
    const room = path.split('/')[1];
    counts[room] ??= { passed: 0, failed: 0, posix: 0, skipped: 0 };
    const count = counts[room];
    const failures = assertionResults.filter((test) => test.status === 'failed');
    for (const test of assertionResults) {
      if (test.status === 'passed') count.passed++;
      else if (test.status !== 'failed') count[POSIX.test(test.fullName) ? 'posix' : 'skipped']++;
    }
    count.failed += failures.length;
    for (const test of failures) console.log(`FAILED ${path} > ${test.fullName}\n${test.failureMessages.join('\n')}\n`);
    if (status === 'failed' && failures.length === 0) {
      count.failed++;
      console.log(`FAILED ${path}\n${message}\n`);
    }
  }
  return counts;
}

const counts = counted(await inWine(results));
const total = {};
for (const count of Object.values(counts))
  for (const [what, n] of Object.entries(count)) total[what] = (total[what] ?? 0) + n;
console.table({ ...Object.fromEntries(Object.entries(counts).sort()), total });
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
