import { type SpawnOptions, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Command } from 'commander';
import { isRecordingName } from '../../../cassette/write/cassette-names.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { spawnCall } from '../../../transports/stdio/windows-process.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { EXIT, print } from '../../io/output.ts';

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
  const used = tests.length > 0 ? usedBy(tests) : undefined;
  const here = process.cwd();
  const orphans = cassettesIn(here).filter((file) => (used ? !used.has(file) : isOrphan(file)));
  for (const file of orphans) {
    if (!failOrphans) rmSync(file);
    await print(`${failOrphans ? 'orphan' : 'removed'} ${printable(relative(here, file))}\n`);
  }
  return failOrphans && orphans.length > 0 ? EXIT.fellShort : EXIT.ok;
}

/**
 * Runs the tests of `command`, and returns the paths of the cassettes they use.
 * @throws McpRecordError PRUNE_TESTS_FAILED
 */
function usedBy([command = '', ...args]: readonly string[]): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-prune-'));
  const list = join(folder, 'used');
  try {
    const env = { ...process.env, MCP_RECORD_USED: list };
    // Standard output is reserved for the report of `prune`.
    const { status, error } = runToEnd(command, args, { env, stdio: ['inherit', 2, 2] });
    if (status !== 0) throw testsFailed(error ? notStarted(command, error) : `they ended with ${status}`);
    return new Set(existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []);
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
    next: 'Nothing was removed. Make all tests pass, none skipped, and prune again.',
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
  const named = dirname(file);
  if (basename(dirname(named)) !== FOLDER) return false;
  return !existsSync(join(dirname(dirname(named)), basename(named)));
}
