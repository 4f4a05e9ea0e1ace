import { writeWhole } from '../../cassette/write/atomic-write.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';

const READABLE = 0o666;

/** @throws McpRecordError USAGE_CANNOT_WRITE */
export function writeReport(file: string, text: string): void {
  try {
    writeWhole(file, text, READABLE);
  } catch (error) {
    throw new McpRecordError({
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write the report ${file}`,
      why: messageOf(error),
      next: 'Name a file in a folder that exists and may be written to.',
      cause: error,
    });
  }
}
