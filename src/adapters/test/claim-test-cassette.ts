import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { McpRecordError } from '../../kernel/errors.ts';
import type { ResolvedMode } from '../../modes/resolve-mode.ts';
import { cassetteName } from './test-cassette-name.ts';

/** The test that owns cassettes. */
export interface CassetteOwner {
  /** Path of the test file. */
  file: string;
  /** Names of the test and its suites. */
  names: readonly string[];
  /** Unique id of the test within the run. Default: its file and names. */
  id?: string;
  /** Run of the test file. In watch mode a file runs again in one process, and earlier runs own nothing. */
  run?: object;
  /** Id of the run of all test files, where they run in several processes. Default: other processes own nothing. */
  runId?: string;
  /** Whether the runner was asked to update recordings, e.g. `vitest -u`. */
  update?: boolean;
  /** Called at the end of the test with its cassettes. */
  onCassettesUsed?(cassettes: readonly UsedCassette[]): void;
}

/** A cassette used by a test. */
export interface UsedCassette {
  cassette: string;
  mode: ResolvedMode['mode'];
  written: string | undefined;
  kept: string | undefined;
}

/** Owning test in this process, by cassette path. */
const owners = new Map<string, Pick<CassetteOwner, 'id' | 'file' | 'run'>>();

/** A new session of a test, with its name or cassette path if given. */
export interface Wanted {
  name: string | undefined;
  cassette: string | undefined;
}

/**
 * Claims the cassette of a test's next session.
 * @throws McpRecordError CASSETTE_CLAIMED if another session has it
 */
export function claimCassette(
  owner: CassetteOwner,
  taken: readonly string[],
  { name, cassette: own }: Wanted,
): { cassette: string; update: boolean } {
  const { file, names, id = JSON.stringify([file, names]), run, update = false } = owner;
  const count = taken.length + 1;
  const session = name ?? (count === 1 ? undefined : count);
  const cassette = own ?? cassetteName({ file, names, ...(session !== undefined && { session }) });
  const holder = owners.get(cassette);
  const isOver = holder?.file === file && holder.run !== run;
  if ((holder && holder.id !== id && !isOver) || taken.includes(cassette)) throw claimed(cassette, own);
  owners.set(cassette, { id, file, ...(run && { run }) });
  noteUse(cassette);
  return { cassette, update };
}

/** Notes the use of a cassette for `mcp-record prune`, if that command runs the tests. */
export function noteUse(cassette: string): void {
  noteForPrune(resolve(cassette));
}

/** Notes for `mcp-record prune` that a test file has tests that do not run. Their cassettes are those of tests all the same. */
export function noteSkipped(file: string): void {
  noteForPrune(`skipped ${resolve(file)}`);
}

function noteForPrune(line: string): void {
  const list = process.env.MCP_RECORD_USED;
  if (list !== undefined) appendFileSync(list, `${line}\n`);
}

/** Returns the error for two sessions of one run with the same cassette. `own`: the option `cassette` of the second one. */
export function claimed(cassette: string, own?: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_CLAIMED',
    what: `Cannot use ${cassette}`,
    why:
      own === undefined
        ? 'another session of this run has it: two tests have one name, or two sessions of a test do'
        : 'another session of this run has it: the option cassette names the file of one session',
    next:
      own === undefined
        ? 'Give the tests different names, or the sessions: mcp.connect(server, { name: "second" }).'
        : 'Name another file. To replay one cassette in several tests, use mcp.server(FILE).',
  });
}
