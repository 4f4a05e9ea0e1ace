import { McpRecordError } from '../kernel/errors.ts';

/** Returns the error for a cassette whose text cannot be edited event by event. */
export function notEdited(place: string, why: string, next?: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_EDITED',
    what: `Cannot edit ${place}`,
    why,
    next: next ?? 'Write each event below the one before it, after a dash of its own and without aliases.',
  });
}
