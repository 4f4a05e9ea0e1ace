import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { bundledSdks } from './bundled-sdks.ts';

const root = join(import.meta.dirname, '..', '..');

/** A project of somebody's own, with what `npm install` would have put there. */
export interface Project {
  folder: string;
  /** What its commands are run with. */
  env: NodeJS.ProcessEnv;
}

/**
 * Installs `mcp-record` below `folder` as `npm install` does: its files, with its dependencies and `packages` beside it. A link to
 * this checkout would not do: vitest transforms what lies outside of a `node_modules`, which takes it 8 s for this package.
 */
export function installIn(folder: string, packages: readonly string[]): void {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'mcp-record');
  if (existsSync(own)) return;
  const { files, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const included = (files as string[]).filter((name) => !name.startsWith('!'));
  for (const name of ['package.json', ...included]) cpSync(join(root, name), join(own, name), { recursive: true });
  for (const name of [...Object.keys(dependencies), ...packages]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    const bundled = join(bundledSdks, name);
    symlinkSync(existsSync(bundled) ? bundled : join(root, 'node_modules', name), join(modules, name));
  }
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
  installIn(folder, packages);
  link('../mcp-record/bin/mcp-record.js', join(bin, 'mcp-record'));
  for (const [name, path] of Object.entries(commands)) link(join(modules, path), join(bin, name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), NO_COLOR: '1' };
  return { folder, env };
}
