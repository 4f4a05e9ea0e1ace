import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Cassette } from '../cassette/cassette.ts';
import { OWNER_ONLY, writeNew, writeWhole } from '../cassette/write/atomic-write.ts';
import { cassetteText } from '../cassette/write/cassette-text.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';
import { projectRedactor } from '../record/redact-file/project-redactor.ts';
import { redactCassette } from '../record/redact-file/redact-cassette.ts';

export interface SaveOptions {
  /** Overwrites an existing file. Default: an existing file is an error. */
  replace?: boolean;
  /** False keeps secrets in the file. Default: true. */
  redact?: boolean;
}

/**
 * Writes a cassette to a file, with secrets redacted. A new file is readable by its owner only.
 * @throws McpRecordError CASSETTE_NOT_WRITTEN
 */
export function saveCassette(cassette: Cassette, file: string, options: SaveOptions = {}): void {
  const { replace = false, redact = true } = options;
  const text = cassetteText(cassette);
  const safe = redact ? redactCassette(text, file, projectRedactor({ env: process.env })).text : text;
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (replace) writeWhole(file, safe, OWNER_ONLY);
    else writeNew(file, safe, OWNER_ONLY);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new McpRecordError({
      code: 'CASSETTE_NOT_WRITTEN',
      what: `Cannot save the cassette ${file}`,
      why: isThere ? 'there is such a file' : messageOf(error),
      next: isThere
        ? 'Name another, or write over it: saveCassette(cassette, file, { replace: true }).'
        : 'Name a file in a folder that may be written to.',
      cause: error,
    });
  }
}
