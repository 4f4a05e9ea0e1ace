import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';

/** Makes a folder for cassettes to compare, and returns how `mcp-record` is run there. */
export function diffCommand() {
  const folder = temporaryFolder();
  return {
    folder,
    put(name: string, text: string): string {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    run(...words: string[]) {
      const { command, args } = mcpRecord(...words);
      return spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
    },
  };
}
