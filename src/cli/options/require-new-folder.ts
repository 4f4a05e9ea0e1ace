import { readdirSync, statSync } from 'node:fs';
import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Checks that a folder does not exist yet, or is empty.
 * @throws McpRecordError USAGE_FOLDER_IN_USE
 */
export function requireNewFolder(path: string, { what, next }: { what: string; next: string }): void {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isThere || (statSync(path).isDirectory() && readdirSync(path).length === 0)) return;
  throw new McpRecordError({ code: 'USAGE_FOLDER_IN_USE', what, why: 'it exists and is no empty folder', next });
}
