import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';

/** A cassette with one call. */
export const TAPE = `format: mcp-record/1
recorder: mcp-record 0.1.0
transport: stdio
events:
- client:
    id: 0
    method: tools/call
    params:
      name: add
      arguments:
        a: 1
- server:
    id: 0
    result:
      content:
        - type: text
          text: '2'
  after: 400
- end: complete
`;

/** Makes a folder with the cassette `cassette.yaml`, and returns how `mcp-record show` is run there. */
export function showCommand() {
  const folder = temporaryFolder();
  const file = join(folder, 'cassette.yaml');
  writeFileSync(file, TAPE);
  let environment: Record<string, string> = {};
  afterEach(() => {
    environment = {};
  });
  return {
    folder,
    file,
    /** Sets variables for the rest of the test. */
    setEnvironment(variables: Record<string, string>) {
      environment = variables;
    },
    show(...words: string[]) {
      const { command, args } = mcpRecord('show', ...words);
      return spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...environment } });
    },
  };
}
