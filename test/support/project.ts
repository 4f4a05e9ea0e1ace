import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A project of somebody's own, with what `npm install` would have put there. */
export interface Project {
  folder: string;
  /** What its commands are run with. */
  env: NodeJS.ProcessEnv;
}

/** Makes one in `folder`: with `mcp-record` itself, packages by name, and commands by the path of their programs. */
export function projectIn(
  folder: string,
  packages: readonly string[],
  commands: Readonly<Record<string, string>> = {},
): Project {
  const modules = join(root, 'node_modules');
  const bin = join(folder, 'node_modules', '.bin');
  const link = (target: string, at: string) => {
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(target, at);
  };
  link(root, join(folder, 'node_modules', 'mcp-record'));
  link(join(root, 'bin', 'mcp-record.js'), join(bin, 'mcp-record'));
  for (const name of packages) link(join(modules, name), join(folder, 'node_modules', name));
  for (const [name, path] of Object.entries(commands)) link(join(modules, path), join(bin, name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), NO_COLOR: '1' };
  return { folder, env };
}
