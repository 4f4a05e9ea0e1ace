import {
  chmodSync,
  closeSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/**
 * Puts `text` in the place of a file that is there, as a whole or not at all: whoever reads it meanwhile reads the one or
 * the other. Its mode stays, and so does a link to it. Throws what the file system throws.
 */
export function replaceFile(file: string, text: string): void {
  const path = realpathSync(file);
  const { mode } = statSync(path);
  const { name, descriptor } = createBeside(path, mode);
  try {
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    // The umask of the process has taken from it what others may.
    chmodSync(name, mode);
    renameSync(name, path);
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
}

/** A file of ours. What a process of the same number has left, on this machine or another, is left alone. */
function createBeside(path: string, mode: number): { name: string; descriptor: number } {
  for (let n = 1; ; n++) {
    const name = `${path}.${process.pid}${n === 1 ? '' : `-${n}`}.tmp`;
    try {
      return { name, descriptor: openSync(name, 'wx', mode) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
