import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * Puts `text` in the place of a file that is there, as a whole or not at all: whoever reads it meanwhile reads the one or
 * the other. Its mode stays, and so does a link to it. Throws what the file system throws.
 */
export function replaceFile(file: string, text: string): void {
  const path = realpathSync(file);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const { mode } = statSync(path);
    writeFileSync(temporary, text, { mode, flag: 'wx' });
    // The umask of the process has taken from it what others may.
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
