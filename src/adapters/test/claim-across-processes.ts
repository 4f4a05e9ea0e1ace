import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { CassetteOwner } from './claim-test-cassette.ts';

const PREFIX = 'mcp-record-claims-';
/** A run in another container has a process id that means nothing here. It does not take this long between two claims. */
const LEFT_AFTER: Milliseconds = 3_600_000;

/**
 * Claims the recording of a cassette for a test file, among all processes of a run. Runners run each file in a process or thread of
 * its own, and a file of the system is what they share.
 * @throws McpRecordError CASSETTE_CLAIMED if another test file of the run records it
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
    // An empty claim is one that is being written now.
    if (other === '' || isCurrent(claim, other)) throw recordedElsewhere(cassette, other);
    writeFileSync(claim, file);
  }
}

/** Removes the claims of earlier runs, which no process is left to remove at their end. */
function removeEndedRuns(own: string): void {
  const begun = statSync(own).mtimeMs;
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : Number.NaN);
    if (!Number.isInteger(pid) || isRunning(pid)) continue;
    const folder = join(tmpdir(), name);
    try {
      if (statSync(folder).mtimeMs < begun - LEFT_AFTER) rmSync(folder, { recursive: true });
    } catch {
      // Another process removes it, or it is that of another user.
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

/** Reports whether a test file is as it was when it claimed. One that has changed since may record another cassette, and claims when it runs again. */
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
