import type { LineFrame } from '../channel/frame.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { CRASHES_MAX } from './restart-delays.ts';

/** Returns how a server process has ended, as a clause. */
export function endWords(status: number | string): string {
  return typeof status === 'number' ? `the server exited with ${status}` : `the server was ended by ${status}`;
}

/** Capitalizes a clause for the beginning of a sentence. */
export function sentence(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/**
 * Returns a note with the text of an unfinished line. The client does not get the line, so the note is its only record.
 */
export function brokenLineWords({ data }: LineFrame): string {
  const text = typeof data === 'string' ? data : `${Buffer.from(data).toString('base64')} (base64)`;
  return `The server ended in the middle of a line: ${text}`;
}

/** Returns the error for a server that crashed too often in a row. */
export function keepsCrashing(reason: string): McpRecordError {
  return new McpRecordError({
    code: 'SERVER_KEEPS_CRASHING',
    what: 'Cannot keep the server running',
    why: `it has ended ${CRASHES_MAX} times in a row without an answer to its client, the last time because ${reason}`,
    next: 'Its last lines on standard error are above. Correct it, and connect the client again.',
  });
}

/** Returns the error message for a request while no server runs. */
export function downWords(reason: string): string {
  return `The server is not running: ${reason}. It is started again when a watched file changes.`;
}
