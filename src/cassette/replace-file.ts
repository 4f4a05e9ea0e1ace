import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * Puts `text` in the place of a file that is there, as a whole or not at all: whoever reads it meanwhile reads the one or
 * the other. Its mode stays, and so does a link to it. Throws what the file system throws.
 */
export function replaceFile(file: string, text: string): void {
  const path = realpathSync(file);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: statSync(path).mode, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
