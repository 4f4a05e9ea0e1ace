import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CassetteFile, nextName } from '../../cassette/write/cassette-file.ts';
import { probeName, sessionName } from '../../cassette/write/cassette-names.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { CassetteWriterOptions } from '../../record/writer/cassette-writer.ts';
import { say } from './output.ts';

/** Returns the cassette files for `-o`: one file, or files in a folder, named after `server`. Says at once if the file exists, and which one is written instead. */
export function recordingDestination(
  output: string,
  server: readonly string[],
): Pick<CassetteWriterOptions, 'open' | 'named'> {
  const inFolder = isFolder(output);
  const name = () => sessionName({ command: server, date: systemClock.date(), pid: process.pid });
  const announced = inFolder ? output : nextName(output);
  if (announced !== output) say(`${output} exists and is kept: recording to ${announced}. ${HOW_TO_REPLACE}`);
  let isFirst = true;
  /** Whether a file for discovery alone was printed: the session may be another one, or take it over. */
  let hasProbe = false;
  return {
    open: () => new CassetteFile(inFolder ? join(output, name()) : output),
    // An expected path is not printed.
    named(path) {
      hasProbe ||= path === probeName(output);
      if (inFolder || hasProbe) return say(`recording to ${path}`);
      if (path !== announced) say(isFirst ? `${announced} exists now: recording to ${path}` : `recording to ${path}`);
      isFirst = false;
    },
  };
}

const HOW_TO_REPLACE = 'To replace a cassette, remove it first.';

/** Reports whether a path is a folder, or ends as one. */
export function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
