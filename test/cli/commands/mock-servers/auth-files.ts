import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEATHER } from '../../../mock/control/controlled.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import type { Running } from '../../../support/process.ts';

/** Returns a cassette and a mock file for servers with `--auth`, and writes further files beside them. */
export function authFiles() {
  const folder = temporaryFolder();
  let files = 0;
  const fileOf = (text: string): string => {
    const file = join(folder, `${files++}.yaml`);
    writeFileSync(file, text);
    return file;
  };
  const cassette = fileOf(WEATHER);
  const mock = fileOf('format: mcp-record-mock/1\ntools:\n  - { name: one, answers: [{ returns: I am one. }] }\n');
  return { folder, fileOf, cassette, mock };
}

/** Reads the lines of standard error up to one that says what is looked for. */
export async function said(server: Running, wanted: RegExp): Promise<string> {
  for (;;) {
    const found = wanted.exec(await server.line(server.child.stderr))?.[1];
    if (found !== undefined) return found;
  }
}
