import { type SpawnOptions, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Command } from 'commander';
import { isRecordingName } from '../../../cassette/write/cassette-names.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { spawnCall } from '../../../transports/stdio/windows-process.ts';
import { EXIT, print, say } from '../../io/output.ts';

interface Options {
  failOrphans?: boolean;
}

const FOLDER = '__cassettes__';
/** Folders without cassettes, which are skipped. */
const PASSED_BY: ReadonlySet<string> = new Set(['node_modules', '.git', 'dist']);

/** Runs `mcp-record prune [-- COMMAND…]`: removes or lists cassettes of deleted tests. */
export async function run(command: Command): Promise<number> {
  const { failOrphans = false } = command.opts<Options>();
  const tests = command.args[0] === '--' ? command.args.slice(1) : command.args;
  const ran = tests.length > 0 ? runTests(tests) : undefined;
  const here = process.cwd();
  const orphans = cassettesIn(here).filter((file) => (ran ? !ran.used.has(file) : isOrphan(file)));
  const kept = ran ? orphans.filter((file) => !isOrphan(file) && mayBeOfOtherTests(file, ran)) : [];
  for (const file of orphans.filter((one) => !kept.includes(one))) {
    if (!failOrphans) rmSync(file);
    await print(`${failOrphans ? 'orphan' : 'removed'} ${printable(relative(here, file))}\n`);
  }
  for (const [owner, files] of byOwner(kept))
    say(
      `Kept ${formatCount(files.length, 'cassette')} of ${relative(here, owner)} that no test used: tests there were skipped, or none ran. Run all of them, or remove the files by hand.`,
    );
  return failOrphans && orphans.length > kept.length ? EXIT.fellShort : EXIT.ok;
}

interface TestRun {
  /** Paths of the cassettes that tests used. */
  used: ReadonlySet<string>;
  /** Paths of test files of Vitest with tests that did not run. */
  skipped: ReadonlySet<string>;
}

const SKIPPED = 'skipped ';

/**
 * Runs the tests of `command`, and returns what they note.
 * @throws McpRecordError PRUNE_TESTS_FAILED
 */
function runTests([command = '', ...args]: readonly string[]): TestRun {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-prune-'));
  const list = join(folder, 'used');
  try {
    const env = { ...process.env, MCP_RECORD_USED: list };
    // Standard output is reserved for the report of `prune`.
    const { status, error } = runToEnd(command, args, { env, stdio: ['inherit', 2, 2] });
    if (status !== 0) throw testsFailed(error ? notStarted(command, error) : `they ended with ${status}`);
    const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : [];
    const skipped = lines.flatMap((line) => (line.startsWith(SKIPPED) ? line.slice(SKIPPED.length) : []));
    return { used: new Set(lines), skipped: new Set(skipped) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runToEnd(program: string, args: readonly string[], options: SpawnOptions): Ended {
  try {
    const call = spawnCall({ program, args, options });
    return spawnSync(call.program, call.args, call.options);
  } catch (error) {
    return { status: null, error: error as Error };
  }
}

type Ended = Pick<SpawnSyncReturns<Buffer>, 'status' | 'error'>;

function notStarted(program: string, error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT' ? `there is no program ${program}` : error.message;
}

function testsFailed(why: string): McpRecordError {
  return new McpRecordError({
    code: 'PRUNE_TESTS_FAILED',
    what: 'Cannot tell which cassettes are used',
    why: `the tests did not pass: ${why}`,
    next: 'Nothing was removed. Make all tests pass, and prune again.',
  });
}

function cassettesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return PASSED_BY.has(entry.name) ? [] : cassettesIn(path);
    return path.split(sep).includes(FOLDER) && entry.name.endsWith('.yaml') ? [path] : [];
  });
}

/** Reports whether a cassette's test file is missing, or the cassette is the recording of a failed test. */
function isOrphan(file: string): boolean {
  if (isRecordingName(file)) return true;
  const owner = ownerOf(file);
  return owner !== undefined && !existsSync(owner);
}

/** Returns the path of the test file that a cassette is named after. */
function ownerOf(file: string): string | undefined {
  const named = dirname(file);
  return basename(dirname(named)) === FOLDER ? join(dirname(dirname(named)), basename(named)) : undefined;
}

/**
 * Reports whether a cassette may belong to a test that did not run: tests of its file were skipped, or no test of the file used a cassette. One that no
 * file owns may belong to any skipped test.
 */
function mayBeOfOtherTests(file: string, { used, skipped }: TestRun): boolean {
  const owner = ownerOf(file);
  if (owner === undefined) return skipped.size > 0;
  return skipped.has(owner) || ![...used].some((one) => dirname(one) === dirname(file));
}

/** Groups cassettes by their test file, or else by their folder. */
function byOwner(files: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const owner = ownerOf(file) ?? dirname(file);
    groups.set(owner, [...(groups.get(owner) ?? []), file]);
  }
  return groups;
}
