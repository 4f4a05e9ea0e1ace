import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CassetteFile } from '../../cassette/write/cassette-file.ts';
import { probeName, sessionName } from '../../cassette/write/cassette-names.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { CassetteWriterOptions } from '../../record/writer/cassette-writer.ts';
import { say } from './output.ts';

/** Returns the cassette files for `-o`: one file, or files in a folder, named after `server`. */
export function recordingDestination(
  output: string,
  server: readonly string[],
): Pick<CassetteWriterOptions, 'open' | 'named'> {
  const inFolder = isFolder(output);
  const name = () => sessionName({ command: server, date: systemClock.date(), pid: process.pid });
  return {
    open: () => new CassetteFile(inFolder ? join(output, name()) : output),
    // An expected path is not printed.
    named(path) {
      if (inFolder || path === probeName(output)) say(`recording to ${path}`);
      else if (path !== output) say(`${output} exists and is kept: recording to ${path}`);
    },
  };
}

function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
