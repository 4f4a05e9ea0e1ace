import { isOutOfFiles, McpRecordError, messageOf } from '../../kernel/errors.ts';
import type { DelayPrecision } from '../../record/writer/event-delays.ts';

/** EX_IOERR of sysexits.h: the session went well and its cassette did not. */
export const CASSETTE_FAILED = 74;

/** @throws McpRecordError USAGE_BAD_TIMING */
export function parseGap(timing: string): DelayPrecision {
  if (timing === 'coarse' || timing === 'exact' || timing === 'none') return timing;
  throw new McpRecordError({
    code: 'USAGE_BAD_TIMING',
    what: `Cannot record timing "${timing}"`,
    why: 'it is none of coarse, exact and none',
    next: 'Leave --timing out for coarse gaps.',
  });
}

/** What it means that the disk refuses a cassette. */
export function cassetteError(path: string, error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_WRITTEN',
    what: `Cannot write the cassette ${path}`,
    why: messageOf(error),
    next: `The session goes on unrecorded. ${isOutOfFiles(error) ? RAISE : FREE}, and record again.`,
    cause: error,
  });
}

const RAISE = 'Let the recorder open more files (ulimit -n)';
const FREE = 'Free the disk or name another place with -o';
