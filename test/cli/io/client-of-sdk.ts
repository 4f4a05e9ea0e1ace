import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Command, mcpRecord } from '../../support/command.ts';

/** Writes a server into a folder, whose tool answers with its argument. Returns a recorder in front of it. */
export function recorderIn(folder: string): (file: string, ...options: string[]) => Command {
  const server = join(folder, 'server.mjs');
  writeFileSync(server, SERVER);
  return (file, ...options) => mcpRecord('record', ...options, '-o', file, '--', process.execPath, server);
}

const SERVER = `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const opened = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'crm', version: '1' } };
  const result = method === 'initialize' ? opened : { content: [{ type: 'text', text: 'of ' + params?.arguments?.customer }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

interface Session {
  command: Command;
  /** What the user passes on. */
  env?: Record<string, string>;
  customer?: string;
  /** Number of calls. */
  calls?: number;
}

/** Runs a client of the official SDK in this process, which has a large environment. Returns what its server said on standard error. */
export async function clientSays({
  command,
  env = {},
  customer = 'CUST-2024-118833',
  calls = 1,
}: Session): Promise<string> {
  const transport = new StdioClientTransport({ ...command, env, stderr: 'pipe' });
  const stderr = text(transport.stderr as Readable);
  const client = new Client({ name: 'app', version: '1' });
  try {
    await client.connect(transport);
    for (let call = 0; call < calls; call++) await client.callTool({ name: 'find', arguments: { customer } });
  } catch {
    // The messages on standard error are what the tests look at.
  }
  await client.close();
  return await stderr;
}
