import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mcpRecord } from '../../support/command.ts';
import { type Ended, run } from '../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Lays the stand-in for k6, and the types of k6, where scripts in `folder` find them. */
export function layStandIn(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  cpSync(join(import.meta.dirname, 'stand-in'), join(modules, 'k6'), { recursive: true });
  const names = ['.', './http', './metrics', './execution'];
  const exports = Object.fromEntries([...names.map((name) => [name, './k6.js']), ['./run', './run.js']]);
  writeFileSync(join(modules, 'k6', 'package.json'), JSON.stringify({ name: 'k6', type: 'module', exports }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  symlinkSync(join(root, 'node_modules', '@types'), join(modules, '@types'), 'junction');
}

/** Writes a script with `load --export k6`. */
export function exported(folder: string, name: string, ...words: string[]): Promise<Ended> {
  return run({ ...mcpRecord('load', ...words, '--export', 'k6', '-o', name), cwd: folder });
}

/** What a script came to: the checks by their names, and the thresholds. */
export interface Played {
  checks: Record<string, { passes: number; fails: number }>;
  thresholds: Record<string, boolean>;
  status: number | null;
  stderr: string;
}

/** Plays a script a number of times, with these variables of the environment. */
export async function played(
  folder: string,
  name: string,
  { sessions = 1, env = {} }: { sessions?: number; env?: Record<string, string> } = {},
): Promise<Played> {
  const words = [join(folder, 'node_modules', 'k6', 'run.js'), join(folder, name), String(sessions)];
  const { stdout, stderr, status } = await run({ command: process.execPath, args: words, env });
  const { checks = {}, thresholds = {} } = stdout.length === 0 ? {} : JSON.parse(stdout.toString());
  return { checks, thresholds, status, stderr };
}

/** Returns the names of checks that failed, with how often. */
export function failedChecks({ checks }: Played): Record<string, number> {
  const failed = Object.entries(checks).filter(([, { fails }]) => fails > 0);
  return Object.fromEntries(failed.map(([name, { fails }]) => [name, fails]));
}
