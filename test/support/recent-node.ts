import { execFileSync } from 'node:child_process';

const known = new Map<number, string>();

/** The path of a Node of at least this major version: ours, or else one that npx has or fetches. */
export function recentNode(major: number): string {
  if (Number(process.versions.node.split('.')[0]) >= major) return process.execPath;
  const path = known.get(major) ?? fetched(major);
  known.set(major, path);
  return path;
}

function fetched(major: number): string {
  const args = ['--yes', `--package=node@${major}`, '--', 'node', '-p', 'process.execPath'];
  return execFileSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
