import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Folder of this installed package. Every file that imports this constant lies two folders below: `dist/kernel`,
 * `dist/bin`.
 */
export const PACKAGE: string = join(import.meta.dirname, '..', '..');

/** Path of the command's script for Node. */
export const PROGRAM: string = join(PACKAGE, 'bin', 'mcp-record.js');

let version: string | undefined;

/**
 * Returns the published version of this package. The file is read once, because later the process may have no free file
 * descriptor.
 */
export function packageVersion(): string {
  version ??= String(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version);
  return version;
}
