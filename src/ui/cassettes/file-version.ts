import { statSync } from 'node:fs';

/** Returns a text that differs after each write to a file, and after its replacement. Throws file system errors. */
export function fileVersion(file: string): string {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true });
  return `${ino}-${size}-${mtimeNs}`;
}
