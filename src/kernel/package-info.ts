import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of this package as it is installed. Every file of its code that asks lies two folders below: `dist/kernel`, `dist/bin`. */
export const PACKAGE: string = join(import.meta.dirname, '..', '..');

/** The program, a script for Node. */
export const PROGRAM: string = join(PACKAGE, 'bin', 'mcp-record.js');

let version: string | undefined;

/** The version of this package, as published. Read once: later there may be no more files to open. */
export function packageVersion(): string {
  version ??= String(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version);
  return version;
}
