import { realpathSync } from 'node:fs';
import type { Cassette } from '../../cassette/cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Rejects cassettes that have no place on a common timeline.
 * @throws McpRecordError USAGE_NO_TIMELINE
 */
export function requireTimeline(cassettes: readonly Cassette[]): void {
  const [{ file } = { file: '' }] = cassettes;
  if (cassettes.length < 2)
    throw impossible(`${file} is a single session`, 'Name a cassette for each server, or leave --timeline out.');
  const known = new Set<string>();
  for (const { file } of cassettes) {
    const path = realPathOf(file);
    if (known.has(path)) throw impossible(`${file} is named twice`, 'Name each cassette once.');
    known.add(path);
  }
  for (const { file, header } of cassettes) {
    if (header.recorded !== undefined) continue;
    throw impossible(
      `${file} does not say when its session began`,
      "Add the time in UTC to the top of the file, such as recorded: '2026-11-21T03:02:15.250Z', or leave the file out.",
    );
  }
}

/** Returns the path without links. A file of a git revision is not on the disk, and keeps its name. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function impossible(why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'USAGE_NO_TIMELINE', what: 'Cannot show a timeline', why, next });
}
