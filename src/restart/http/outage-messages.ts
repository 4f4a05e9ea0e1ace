import { McpRecordError } from '../../kernel/errors.ts';
import type { SseEvent } from '../../transports/http/sse/sse-decoder.ts';
import { OUTAGE_PATIENCE } from './outage.ts';

const SECONDS = OUTAGE_PATIENCE / 1000;

/** Error message for a request whose server was restarted before the answer. */
export const LOST_WORDS = 'The server was restarted before it answered: its connection was lost.';

/** Error message for a request during an outage that outlasts the time that requests wait. */
export const DOWN_WORDS: string = `The server is gone for more than ${SECONDS} s. It goes on with the session when it is back.`;

/**
 * Returns a note with the text of an unfinished event. The client does not get the event, so the note is its only
 * record.
 */
export function brokenEventWords({ data = '' }: SseEvent): string {
  const text = typeof data === 'string' ? data : `${Buffer.from(data).toString('base64')} (base64)`;
  return `The server ended in the middle of an event: ${text}`;
}

/** Returns the error for a server that stays away for longer than requests wait. */
export function serverNotBack(url: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'SERVER_NOT_BACK',
    what: `Cannot go on with the server at ${url}`,
    why: `it is gone for more than ${SECONDS} s: ${why}`,
    next: 'Start it again: its clients go on then. Until that, each request gets an error at once.',
  });
}
