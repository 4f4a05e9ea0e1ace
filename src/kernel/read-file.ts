import { readFileSync, type Stats, statSync } from 'node:fs';

/** What a path names that is neither a file nor a folder. */
const KINDS: readonly (readonly [is: (stats: Stats) => boolean, kind: string])[] = [
  [(stats) => stats.isFIFO(), 'a pipe'],
  [(stats) => stats.isCharacterDevice() || stats.isBlockDevice(), 'a device'],
  [(stats) => stats.isSocket(), 'a socket'],
];

/** The code of the error for a path that is neither a file nor a folder, beside those of the file system. */
export const NOT_A_FILE = 'NOT_A_FILE';

/**
 * Whether `file` is something that ends, and how long it is: a pipe waits for somebody to write, and some devices go on for ever.
 * Throws what the file system throws, or an error with the code {@link NOT_A_FILE}.
 */
export function fileSize(file: string): number {
  const stats = statSync(file);
  const kind = KINDS.find(([is]) => is(stats))?.[1];
  if (kind !== undefined) throw Object.assign(new Error(`it is ${kind}, and no file`), { code: NOT_A_FILE });
  return stats.size;
}

/** Reads a file that somebody has named. Throws as {@link fileSize}. */
export function readNamedFile(file: string): Buffer {
  fileSize(file);
  return readFileSync(file);
}

/** The same as text. */
export function readNamedText(file: string): string {
  return readNamedFile(file).toString('utf8');
}
