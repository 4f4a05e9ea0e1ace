/** The lists of servers on npm: tools, prompts, resources, templates and instructions. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadCassette } from '../../dist/cassette/read/load-cassette.js';
import { eventsToEntries } from '../../dist/cassette/split-batches-into-entries.js';
import { FIELD, install, ROOT, run } from './commands.js';
import { LISTED_SERVERS } from './listed-servers.js';
import { OFFLINE } from './offline.js';
import { SERVERS } from './servers.js';
import { commandOf, serverFolder } from './sweep-servers.js';

const LIST_MS_MAX = 120_000;

/** The servers whose lists are read: those of others, and no server of a few lines on a framework. */
export const LISTED = [
  ...Object.entries(SERVERS)
    .filter(([, { program }]) => program)
    .map(([name, server]) => ({ name, title: server.packages[0], server })),
  ...Object.entries(LISTED_SERVERS).map(([title, { args, env }]) => ({
    name: nameOf(title).replace('@', '').replace('/', '-'),
    title,
    server: { packages: [title], args, env },
  })),
];

/**
 * Returns the results of a server: of its opening, and of its lists. Once recorded, they are read from the cassette.
 * @throws Error if the server cannot be installed or listed
 */
export async function listsOf({ name, server }) {
  const file = join(FIELD, 'lists', `${name}.yaml`);
  if (!existsSync(file)) await record({ name, server, file });
  const entries = eventsToEntries(loadCassette(file).events);
  return entries.flatMap(({ from, message }) => (from === 'server' && message?.result ? [message.result] : []));
}

async function record({ name, server, file }) {
  const folder = serverFolder(name);
  await install(folder, server.packages);
  mkdirSync(join(folder, 'data'), { recursive: true });
  mkdirSync(join(FIELD, 'lists'), { recursive: true });
  const program = server.program ?? programOf(folder, nameOf(server.packages[0]));
  const recorder = ['node', join(ROOT, 'bin', 'mcp-record.js'), 'record', '--lists', '--no-redact', '-o', file];
  const command = [...recorder, '--', ...commandOf(name, { ...server, program })];
  const { status, stderr } = await run(command, OFFLINE, { cwd: join(folder, 'data'), timeout: LIST_MS_MAX });
  if (status === 0) return;
  rmSync(file, { force: true });
  throw new Error(status === null ? 'it does not answer in time' : stderr.trim().slice(-600));
}

/** Returns the name of a package without its version. */
function nameOf(title) {
  return title.slice(0, title.lastIndexOf('@'));
}

/** Returns the program of an installed package that `npx` starts, as a file below `node_modules`. */
function programOf(folder, name) {
  const { bin } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  return join(name, typeof bin === 'string' ? bin : (bin[name.split('/').at(-1)] ?? Object.values(bin)[0]));
}
