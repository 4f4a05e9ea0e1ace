import { isOutOfFiles, McpRecordError, messageOf } from '../../kernel/errors.ts';
import { fail } from './output.ts';

/** Status EX_IOERR of sysexits.h: the session succeeded, but its cassette could not be written. */
export const CASSETTE_FAILED = 74;

const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** Prints that a server cannot be started. Returns the status that a shell would return. */
export function cannotStart(error: McpRecordError): number {
  fail(error);
  return error.code === 'COMMAND_NOT_FOUND' ? NOT_FOUND : NOT_EXECUTABLE;
}

/** Returns the error for a failed write of a cassette. */
export function cassetteNotWritten(path: string, error: unknown): McpRecordError {
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
