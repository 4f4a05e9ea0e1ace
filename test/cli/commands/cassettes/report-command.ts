import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';

/** Returns how `mcp-record report` is run, and a folder for what it writes. */
export function reportCommand() {
  const folder = temporaryFolder();
  return {
    folder,
    report(...words: string[]) {
      const { command, args } = mcpRecord('report', ...words);
      return spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    },
    /** Returns the path of a file in the folder, which is written if there is a text for it. */
    at(name: string, text?: string) {
      const path = join(folder, name);
      if (text !== undefined) writeFileSync(path, text);
      return path;
    },
  };
}
