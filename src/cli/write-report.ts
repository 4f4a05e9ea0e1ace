import { writeFileSync } from 'node:fs';
import { McpRecordError, messageOf } from '../kernel/errors.ts';

/** @throws McpRecordError USAGE_CANNOT_WRITE */
export function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
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
