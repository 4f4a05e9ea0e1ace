import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpRecordError } from '../../kernel/errors.ts';
import type { CassetteOwner } from './claim-test-cassette.ts';

/**
 * Claims the recording of a cassette for a test file, among all processes of a run. Runners run each file in a process or thread of
 * its own, and a file of the system is what they share.
 * @throws McpRecordError CASSETTE_CLAIMED if another test file of the run records it
 */
export function claimAcrossProcesses({ runId, file }: CassetteOwner, cassette: string): void {
  if (runId === undefined) return;
  const folder = join(tmpdir(), `mcp-record-run-${runId}`);
  const claim = join(folder, createHash('sha256').update(cassette).digest('hex'));
  mkdirSync(folder, { recursive: true });
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
