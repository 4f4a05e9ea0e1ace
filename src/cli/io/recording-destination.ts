import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CassetteFile } from '../../cassette/write/cassette-file.ts';
import { probeName, sessionName } from '../../cassette/write/cassette-names.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { CassetteWriterOptions } from '../../record/writer/cassette-writer.ts';
import { say } from './output.ts';

/** The cassettes that `-o` names: a file, or those of a folder, named by `server`. */
export function recordingDestination(
  output: string,
  server: readonly string[],
): Pick<CassetteWriterOptions, 'open' | 'named'> {
  const inFolder = isFolder(output);
  const name = () => sessionName({ command: server, date: systemClock.date(), pid: process.pid });
  return {
    open: () => new CassetteFile(inFolder ? join(output, name()) : output),
    // Where it is plain nothing is said.
    named(path) {
      if (inFolder || path === probeName(output)) say(`recording to ${path}`);
      else if (path !== output) say(`${output} exists and is kept: recording to ${path}`);
    },
  };
}

function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
