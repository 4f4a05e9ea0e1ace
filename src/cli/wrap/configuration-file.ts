import { isUtf8 } from 'node:buffer';
import { backUpFile, replaceFile } from '../../cassette/write/atomic-write.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { readNamedFile } from '../../kernel/read-regular-file.ts';
import { attempt } from '../reports/wrap-thrown-error.ts';
import { refusePackedExtension } from './extension-manifest.ts';

/**
 * Reads the configuration of a client.
 * @throws McpRecordError WRAP_UNREADABLE, WRAP_PACKED_EXTENSION
 */
export function readConfiguration(file: string): string {
  const failure = { code: 'WRAP_UNREADABLE', what: `Cannot read ${file}` };
  const next = 'Check the name: docs/wrap.md lists where clients keep theirs.';
  const bytes = attempt(() => readNamedFile(file), { ...failure, next });
  refusePackedExtension(bytes, file);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new McpRecordError({ ...failure, why: 'it is not in UTF-8', next: 'Save it as UTF-8.' });
}

/**
 * Makes a backup of the configuration and replaces it, if it still has the text `before`. Returns the name of the backup.
 * @throws McpRecordError WRAP_NOT_WRITTEN, or as {@link readConfiguration}
 */
export function replaceConfiguration(file: string, before: string, text: string): string {
  const failure = { code: 'WRAP_NOT_WRITTEN', what: `Cannot change ${file}` };
  const next = 'It is as it was. Check who may write to it and its folder.';
  const backup = attempt(() => backUpFile(file), { ...failure, what: `Cannot make a backup of ${file}`, next });
  if (readConfiguration(file) !== before)
    throw new McpRecordError({ ...failure, why: 'it was changed meanwhile', next: 'Try again.' });
  attempt(() => replaceFile(file, text), { ...failure, next });
  return backup;
}
