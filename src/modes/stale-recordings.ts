import { existsSync, rmSync } from 'node:fs';
import { loadCassette } from '../cassette/read/load-cassette.ts';
import { numberedName, probeName, recordingName } from '../cassette/write/cassette-names.ts';

/**
 * Removes what earlier, failed runs of a test have left beside its cassette: `….recording.yaml`, `….recording-2.yaml`, and what
 * lies with them. One that is not complete stays: somebody may be writing it now.
 */
export function removeStaleRecordings(cassette: string): void {
  const name = recordingName(cassette);
  for (let n = 1; existsSync(numberedName(name, n)); n++) {
    const path = numberedName(name, n);
    if (!isComplete(path)) continue;
    rmSync(path, { force: true });
    rmSync(probeName(path), { force: true });
  }
}

function isComplete(path: string): boolean {
  try {
    return loadCassette(path).end !== undefined;
  } catch {
    return false;
  }
}
