import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { CassetteOwner } from './claim-test-cassette.ts';

const PREFIX = 'mcp-record-claims-';
/**
 * Age of a latest claim after which a run counts as ended, if its process is unknown. Such a process may run in another
 * container, where it adds its next claim sooner.
 */
const LEFT_AFTER: Milliseconds = 3_600_000;

/**
 * Claims the recording of a cassette for a test file, among all processes of a run. Runners start each test file in a
 * separate process or thread, so claims are files in a temporary directory.
 * @throws McpRecordError CASSETTE_CLAIMED if another test file of the run records the cassette
 */
export function claimAcrossProcesses({ runId, file }: CassetteOwner, cassette: string): void {
  if (runId === undefined) return;
  const folder = join(tmpdir(), `${PREFIX}${runId}`);
  const claim = join(folder, createHash('sha256').update(cassette).digest('hex'));
  if (mkdirSync(folder, { recursive: true }) !== undefined) removeEndedRuns(folder);
  try {
    writeFileSync(claim, file, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const other = readFileSync(claim, 'utf8');
    if (other === file) return;
    // An empty claim is still being written.
    if (other === '' || isCurrent(claim, other)) throw recordedElsewhere(cassette, other);
    writeFileSync(claim, file);
  }
}

/** Removes claims of ended runs, because no process removes them when a run ends. */
function removeEndedRuns(own: string): void {
  const begun = statSync(own).mtimeMs;
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : Number.NaN);
    if (!Number.isInteger(pid) || isRunning(pid)) continue;
    const folder = join(tmpdir(), name);
    try {
      if (statSync(folder).mtimeMs < begun - LEFT_AFTER) rmSync(folder, { recursive: true });
    } catch {
      // Another process may remove the claim first, or the claim belongs to another user.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Reports whether a test file is unchanged since its claim. A changed file may now record another cassette. It claims
 * its cassettes again when it runs again.
 */
function isCurrent(claim: string, file: string): boolean {
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return changed !== undefined && changed <= statSync(claim).mtimeMs;
}

function recordedElsewhere(cassette: string, other: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_CLAIMED',
    what: `Cannot record ${cassette}`,
    why: `${other || 'another test file'} records it in this run, and one of the two would replace the other`,
    next: 'Name another file in one of the tests. To replay one cassette in several tests, use mcp.server(FILE).',
  });
}
