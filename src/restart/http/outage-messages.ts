import { McpRecordError } from '../../kernel/errors.ts';
import type { SseEvent } from '../../transports/http/sse/sse-decoder.ts';
import { OUTAGE_PATIENCE } from './outage.ts';

const SECONDS = OUTAGE_PATIENCE / 1000;

/** Error of a request that was lost with its server. */
export const LOST_WORDS = 'The server was restarted before it answered: its connection was lost.';

/** Error of a request that has waited for a server that does not come back. */
export const DOWN_WORDS: string = `The server is gone for more than ${SECONDS} s. It goes on with the session when it is back.`;

/** Returns a sentence about an event that a server has not ended. No other place keeps it. */
export function brokenEventWords({ data = '' }: SseEvent): string {
  const text = typeof data === 'string' ? data : `${Buffer.from(data).toString('base64')} (base64)`;
  return `The server ended in the middle of an event: ${text}`;
}

/** Returns the error for a server that does not come back. */
export function serverNotBack(url: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'SERVER_NOT_BACK',
    what: `Cannot go on with the server at ${url}`,
    why: `it is gone for more than ${SECONDS} s: ${why}`,
    next: 'Start it again: its clients go on then. Until that, each request gets an error at once.',
  });
}
