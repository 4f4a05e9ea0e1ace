import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { CassetteState } from '../../html-report/data/live-page-protocol.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { fileVersion } from '../cassettes/file-version.ts';

export interface EditableFile {
  file: string;
  /** Folder that the page shows. */
  folder: string;
  /** Version of the file that the page had when the edit began. */
  version: string;
  state: CassetteState;
}

/**
 * Checks that a person may edit a file from the page. Throws file system errors.
 * @throws McpRecordError UI_CASSETTE_OUTSIDE, UI_CASSETTE_GROWING, UI_CASSETTE_READ_ONLY, CASSETTE_CHANGED
 */
export function checkEditableFile({ file, folder, version, state }: EditableFile): void {
  const path = realpathSync(file);
  if (!path.startsWith(folderPrefix(realpathSync(folder)))) {
    throw refusal(file, {
      code: 'UI_CASSETTE_OUTSIDE',
      why: 'it is a symbolic link to a file outside the folder',
      next: `Start mcp-record ui on the folder of ${path}.`,
    });
  }
  if (state === 'growing' || state === 'unfinished') {
    throw refusal(file, {
      code: 'UI_CASSETTE_GROWING',
      why: 'its recording has not ended, and what a recorder writes later would be lost',
      next: 'End the recording first. If the recorder was killed, add the line "- end: killed" to the file.',
    });
  }
  checkVersion(file, version);
  if (!isWritable(path) || !isWritable(dirname(path))) {
    throw refusal(file, {
      code: 'UI_CASSETTE_READ_ONLY',
      why: 'the file or its folder is read only',
      next: 'Give yourself permission to write to both, and save again.',
    });
  }
}

/** @throws McpRecordError CASSETTE_CHANGED if the file is no longer the version that the page had */
export function checkVersion(file: string, version: string): void {
  if (fileVersion(file) === version) return;
  throw refusal(file, {
    code: 'CASSETTE_CHANGED',
    why: 'the file has changed since you began to edit',
    next: 'Copy your text, cancel, and edit the message that is there now.',
  });
}

function folderPrefix(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}

/** Reports whether anybody may write to a path, and this process may. The mode counts for root, too. */
function isWritable(path: string): boolean {
  if ((statSync(path).mode & WRITE_BITS) === 0) return false;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const WRITE_BITS = 0o222;

function refusal(file: string, { code, why, next }: Record<'code' | 'why' | 'next', string>): McpRecordError {
  return new McpRecordError({ code, what: `Cannot save ${file}`, why, next });
}
