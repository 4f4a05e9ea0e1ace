import { chmodSync, closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * Puts `text` in the place of a file that is there, as a whole or not at all: whoever reads it meanwhile reads the one or
 * the other. Its mode stays, and so does a link to it. Throws what the file system throws.
 */
export function replaceFile(file: string, text: string): void {
  const path = realpathSync(file);
  const { mode } = statSync(path);
  const { name, descriptor } = createBeside(path, mode);
  put({ name, descriptor, text }, () => {
    // The umask of the process has taken from it what others may.
    chmodSync(name, mode);
    renameSync(name, path);
  });
}

/**
 * Writes `text` to a file as a whole or not at all, whether one is there or not: a new one has `mode`, less the umask. What is no
 * file, such as `/dev/stdout`, is written to as it is. Throws what the file system throws.
 */
export function writeWhole(file: string, text: string, mode: number): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isFile()) return replaceFile(file, text);
  if (there !== undefined) return writeFileSync(file, text);
  const { name, descriptor } = createBeside(file, mode);
  put({ name, descriptor, text }, () => renameSync(name, file));
}

/** Writes a file that is not there, as a whole or not at all. Throws what the file system throws. */
export function writeNew(file: string, text: string, mode: number): void {
  put({ name: file, descriptor: openSync(file, 'wx', mode), text });
}

interface Written {
  name: string;
  descriptor: number;
  text: string;
}

/** Fills the file that `descriptor` has open, and ends it; where that fails, it is removed. */
function put({ name, descriptor, text }: Written, then: () => void = () => {}): void {
  try {
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    then();
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
