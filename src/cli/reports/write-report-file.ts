import { lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OWNER_ONLY, writeWhole } from '../../cassette/write/atomic-write.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';

/**
 * Writes a report, readable by its owner only, like a cassette. A missing folder is created.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
export function writeReport(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    removeLink(file);
    writeWhole(file, text, OWNER_ONLY);
  } catch (error) {
    throw new McpRecordError({
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write the report ${file}`,
      why: messageOf(error),
      next: 'Name a file in a folder that may be written to.',
      cause: error,
    });
  }
}

/** Removes a link to a file, so that what is written takes its place and the file stays. `/dev/stdout` is a link to a pipe. */
export function removeLink(file: string): void {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink && statSync(file, { throwIfNoEntry: false })?.isFile() !== false) rmSync(file);
}
