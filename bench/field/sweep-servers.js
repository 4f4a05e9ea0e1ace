/** The sweep of one server over stdio, with a session that is recorded from it. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { FIELD, install, mcpRecord, ROOT, runJson } from './commands.js';
import { OFFLINE } from './offline.js';

/** The misbehaviours of the client. Its messages are: 1 initialize, 2 initialized, 3 tools/list, 4 tools/call. */
export const SERVER_POINTS = [
  'leave@1',
  'not-json@1',
  'junk@1',
  'null-id@1',
  'unknown-method@3',
  'unknown-notification@3',
  'leave@4',
  'end@4',
  'truncate@4',
  'cancel@4',
  'cancel-late@4',
  'duplicate@4',
  'equal-ids@4',
  'slice@4',
  'oversize@4',
  'not-json@4',
  'not-json-rpc@4',
  'wrong-version@4',
  'null-id@4',
];
const DEADLINE = '30000';

export const serverFolder = (name) => join(FIELD, 'servers', name);
export const cassetteOf = (name) => join(serverFolder(name), 'cassette.yaml');

/** Returns the command line of a server. */
export function commandOf(name, { program, args = [], env = {} }) {
  const file = program ? join(serverFolder(name), 'node_modules', program) : `bench/field/servers/${name}.mjs`;
  const variables = Object.entries(env).map(([key, value]) => `${key}=${inFolder(name, value)}`);
  const command = ['node', file, ...args.map((word) => inFolder(name, word))];
  return variables.length > 0 ? ['env', ...variables, ...command] : command;
}

/** Replaces `{data}` in a text by the folder of a server. */
const inFolder = (name, text) => text.replaceAll('{data}', join(serverFolder(name), 'data'));

/** Returns the command of some points, as it stands on the page. */
export function serverCommand({ name, server, points, options = [] }) {
  const words = ['--server', '--deadline', DEADLINE, ...points.flatMap((point) => ['--point', point]), ...options];
  return mcpRecord('sweep', ...words, cassetteOf(name), '--', ...commandOf(name, server));
}

/** Returns the verdict of each point, with its reason. The sweep itself tries a bad one twice. */
export async function sweepServer({ name, server, points = SERVER_POINTS }) {
  await install(serverFolder(name), server.packages);
  await record(name, server);
  const { results, leftOut } = await runJson(serverCommand({ name, server, points, options: ['--json'] }), OFFLINE);
  const verdicts = results.map(({ point, verdict, why }) => [point.name, { verdict, ...(why && { why }) }]);
  return { verdicts: Object.fromEntries(verdicts), leftOut };
}

/** Records the session, unless it is there. */
async function record(name, server) {
  const file = cassetteOf(name);
  if (existsSync(file)) return;
  const data = join(serverFolder(name), 'data');
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'a.js'), 'let a = 1;\n');
  writeFileSync(join(data, 'eslint.config.js'), 'export default [];\n');
  writeFileSync(join(data, 'package.json'), '{ "type": "module" }\n');
  const words = mcpRecord('record', '-o', file, '--', ...commandOf(name, server));
  const [command, ...args] = words;
  const env = { ...process.env, ...OFFLINE };
  const transport = new StdioClientTransport({ command, args, cwd: ROOT, env, stderr: 'ignore' });
  const client = new Client({ name: 'field', version: '1.0.0' });
  try {
    await client.connect(transport);
    await client.listTools();
    const [tool, params] = JSON.parse(inFolder(name, JSON.stringify(server.call)));
    const { isError, content } = await client.callTool({ name: tool, arguments: params });
    if (isError) throw new Error(`its tool "${tool}" says: ${JSON.stringify(content).slice(0, 300)}`);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    await client.close();
  }
}
