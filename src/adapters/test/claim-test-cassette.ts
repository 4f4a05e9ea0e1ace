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
  /**
   * Identity of the file's current run. In watch mode a file runs again in the same process: cassettes of earlier runs
   * are then free.
   */
  run?: object;
  /** Id of the run of all test files, if they run in several processes. Default: no claims across processes. */
  runId?: string;
  /** Whether the runner was asked to update recordings, e.g. `vitest -u`. */
  update?: boolean;
  /** Called when the test ends, with the cassettes that the test used. */
  onCassettesUsed?(cassettes: readonly UsedCassette[]): void;
}

/** A cassette used by a test. */
export interface UsedCassette {
  cassette: string;
  mode: ResolvedMode['mode'];
  written: string | undefined;
  kept: string | undefined;
}

/** Owner of each cassette in this process, by path. */
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

/** Notes the use of a cassette for `mcp-record prune`, if that command started the tests. */
export function noteUse(cassette: string): void {
  noteForPrune(resolve(cassette));
}

/** Notes for `mcp-record prune` that a test file has skipped tests, so that the cassettes of these tests are kept. */
export function noteSkipped(file: string): void {
  noteForPrune(`skipped ${resolve(file)}`);
}

function noteForPrune(line: string): void {
  const list = process.env.MCP_RECORD_USED;
  if (list !== undefined) appendFileSync(list, `${line}\n`);
}

/**
 * Returns the error for two sessions of one run with the same cassette. `own`: the `cassette` option of the second
 * session.
 */
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
