import { readFileSync, type Stats, statSync } from 'node:fs';

/** Kinds of file system entries that cannot be read like a file. */
const KINDS: readonly (readonly [is: (stats: Stats) => boolean, kind: string])[] = [
  [(stats) => stats.isFIFO(), 'a pipe'],
  [(stats) => stats.isCharacterDevice() || stats.isBlockDevice(), 'a device'],
  [(stats) => stats.isSocket(), 'a socket'],
];

/** Error code for a path of a pipe, a device or a socket. */
export const NOT_A_FILE = 'NOT_A_FILE';

/**
 * Returns the length of a file or folder. Pipes and devices are refused, because reading them may block or never end.
 * @throws the error of the file system, or an error with the code {@link NOT_A_FILE}
 */
export function fileSize(file: string): number {
  const stats = statSync(file);
  const kind = KINDS.find(([is]) => is(stats))?.[1];
  if (kind !== undefined) throw Object.assign(new Error(`it is ${kind}, and no file`), { code: NOT_A_FILE });
  return stats.size;
}

/** Reads a file whose path a user gave. Throws as {@link fileSize}. */
export function readNamedFile(file: string): Buffer {
  fileSize(file);
  return readFileSync(file);
}

/** Reads a file whose path a user gave, as UTF-8 text. Throws as {@link fileSize}. */
export function readNamedText(file: string): string {
  return readNamedFile(file).toString('utf8');
}
