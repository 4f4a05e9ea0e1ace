import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sessionName } from '../cassette/file-name.ts';
import { TapeFile } from '../cassette/tape-file.ts';
import { systemClock } from '../kernel/clock.ts';
import { say } from './output.ts';

/** Opens the tape that `-o` names: a file, or one in a folder named by `server`. Says where, unless that is plain. */
export function openTape(output: string, server: readonly string[]): TapeFile {
  const inFolder = isFolder(output);
  const name = () => sessionName({ command: server, date: systemClock.date(), pid: process.pid });
  const path = inFolder ? join(output, name()) : output;
  const tape = new TapeFile(path);
  if (inFolder) say(`recording to ${tape.path}`);
  else if (tape.path !== path) say(`${path} exists and is kept: recording to ${tape.path}`);
  return tape;
}

function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
