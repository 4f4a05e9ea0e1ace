import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord, program } from '../../support/command.ts';

/** Returns the configuration of a client with one server, where it goes, and how `mcp-record wrap` is run there. */
export function wrapCommand() {
  const folder = temporaryFolder();
  const { command, args } = program('@modelcontextprotocol/server-memory', 'dist/index.js');
  const text = `{
  // one server
  "mcpServers": {
    "the memory": { "command": ${JSON.stringify(command)}, "args": ${JSON.stringify(args)} },
  }
}
`;
  return {
    folder,
    file: join(folder, 'mcp.json'),
    text,
    wrap(...words: string[]) {
      const { command: node, args: all } = mcpRecord('wrap', ...words);
      return spawnSync(node, all, { cwd: folder, encoding: 'utf8' });
    },
  };
}
