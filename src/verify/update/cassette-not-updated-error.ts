import { McpRecordError } from '../../kernel/errors.ts';

/** Returns the error for a cassette that was left unchanged. */
export function notUpdated(
  place: string,
  why: string,
  next = 'Mend that first, or record the session again.',
): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_UPDATED',
    what: `Cannot update ${place}`,
    why,
    next: `${next} The cassette is as it was.`,
  });
}
