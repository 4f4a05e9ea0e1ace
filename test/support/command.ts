import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A process to start, as a client's configuration has it. */
export interface Command {
  command: string;
  args: string[];
  /** Beside the few variables that clients pass on. */
  env?: Record<string, string>;
  /** Where it runs, if not where the tests do. */
  cwd?: string;
}

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '..', '..');

/** Our own command line, as it is installed. */
export function mcpRecord(...args: string[]): Command {
  return { command: process.execPath, args: [join(root, 'bin', 'mcp-record.js'), ...args] };
}

/** A program of an installed package, by the path of its entry inside the package. */
export function program(name: string, entry: string, ...args: string[]): Command {
  const folder = dirname(require.resolve(`${name}/package.json`));
  return { command: process.execPath, args: [join(folder, entry), ...args] };
}

export const everything: Command = program('@modelcontextprotocol/server-everything', 'dist/index.js', 'stdio');

/** A server behind a recorder that writes to `file`. */
export function recorded(file: string, { command, args, env }: Command): Command {
  return { ...mcpRecord('record', '-o', file, '--', command, ...args), ...(env && { env }) };
}

/** A server whose wire is copied into `FILE.in` and `FILE.out`, byte for byte. */
export function teed(file: string, { command, args, env }: Command): Command {
  const tee = join(root, 'test', 'e2e', 'servers', 'tee.js');
  return { command: process.execPath, args: [tee, file, command, ...args], ...(env && { env }) };
}

export function replayed(file: string): Command {
  return mcpRecord('replay', file);
}
