import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { McpRecordError } from '../../kernel/errors.ts';
import type { ResolvedMode } from '../../modes/record-mode.ts';
import { cassetteName } from './test-cassette-name.ts';

/** The test that cassettes belong to. */
export interface CassetteOwner {
  /** Path of the test file. */
  file: string;
  /** Names of the test and the suites around it. */
  names: readonly string[];
  /** Unique id of the test within the run. Default: its file and names. */
  id?: string;
  /** Run of the test file. In watch mode a file runs again in one process, and earlier runs own nothing. */
  run?: object;
  /** The runner was asked to update what is recorded, e.g. `vitest -u`. */
  update?: boolean;
  /** Told at the end what became of its cassettes. */
  told?(cassettes: readonly UsedCassette[]): void;
}

/** A cassette that a test had. */
export interface UsedCassette {
  cassette: string;
  mode: ResolvedMode['mode'];
  written: string | undefined;
  kept: string | undefined;
}

/** Cassette to the test that owns it, in this process. */
const owners = new Map<string, Pick<CassetteOwner, 'id' | 'file' | 'run'>>();

/** Session of a test, among its earlier sessions. */
export interface Wanted {
  name: string | undefined;
  cassette: string | undefined;
}

/**
 * The cassette of a test's next session, which is no other's.
 * @throws McpRecordError CASSETTE_CLAIMED
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
  if ((holder && holder.id !== id && !isOver) || taken.includes(cassette)) throw claimed(cassette);
  owners.set(cassette, { id, file, ...(run && { run }) });
  noteUse(cassette);
  return { cassette, update };
}

/** Tells `mcp-record prune`, if it runs the tests, that a cassette is used. */
export function noteUse(cassette: string): void {
  const list = process.env.MCP_RECORD_USED;
  if (list !== undefined) appendFileSync(list, `${resolve(cassette)}\n`);
}

/** Two sessions of one run would write one cassette. */
export function claimed(cassette: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_CLAIMED',
    what: `Cannot use ${cassette}`,
    why: 'another session of this run has it: two tests have one name, or two sessions of a test do',
    next: 'Give the tests different names, or the sessions: mcp.connect(server, { name: "second" }).',
  });
}
