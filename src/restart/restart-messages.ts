import type { LineFrame } from '../channel/frame.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { CRASHES_MAX } from './restart-delays.ts';

/** Returns how a server process has ended, as a clause. */
export function endWords(status: number | string): string {
  return typeof status === 'number' ? `the server exited with ${status}` : `the server was ended by ${status}`;
}

/** Returns a clause as the beginning of a sentence. */
export function sentence(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** Returns a sentence about a line that a server has not ended. No other place keeps the line. */
export function brokenLineWords({ data }: LineFrame): string {
  const text = typeof data === 'string' ? data : `${Buffer.from(data).toString('base64')} (base64)`;
  return `The server ended in the middle of a line: ${text}`;
}

/** Returns the error for a server that is given up. */
export function keepsCrashing(reason: string): McpRecordError {
  return new McpRecordError({
    code: 'SERVER_KEEPS_CRASHING',
    what: 'Cannot keep the server running',
    why: `it has ended ${CRASHES_MAX} times in a row without an answer to its client, the last time because ${reason}`,
    next: 'Its last lines on standard error are above. Correct it, and connect the client again.',
  });
}

/** Returns the error for a request while there is no server. */
export function downWords(reason: string): string {
  return `The server is not running: ${reason}. It is started again when a watched file changes.`;
}
