import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { run } from '../../support/process.ts';

/** What the suite found: each scenario's checks, each as its id, its name and how it came out. */
export type Checks = Record<string, string[]>;

export interface Verdict {
  checks: Checks;
  /** 0 where all is as `expected-failures.yaml` says. */
  status: number | null;
  /** What it printed. */
  said: string;
}

interface Check {
  id: string;
  name: string;
  status: string;
  errorMessage?: string;
}

const require = createRequire(import.meta.url);
const bin = join(
  dirname(require.resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
);
const baseline = join(import.meta.dirname, 'expected-failures.yaml');

let node: string | undefined;

/** A Node that the suite runs on, which is 22 or later. */
function recentNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  node ??= execFileSync('npx', ['--yes', '--package=node@24', '--', 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  return node;
}

/** Runs what `revision` requires of `role`, which `target` names in words of the suite; `results` is a folder to be. */
export async function conformance(
  role: 'server' | 'client',
  { revision, target, results }: { revision: string; target: readonly string[]; results: string },
): Promise<Verdict> {
  const options = ['--requirements', revision, '--expected-failures', baseline, '-o', results];
  const { status, stdout, stderr } = await run({
    command: recentNode(),
    args: [bin, role, ...target, ...options],
  });
  return { checks: checksIn(results), status, said: `${stdout}${stderr}` };
}

/** The suite names a folder after each scenario and the time. */
function checksIn(results: string): Checks {
  const found: [string, string[]][] = [];
  for (const path of readdirSync(results, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('checks.json')) continue;
    const scenario = dirname(path).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const checks = JSON.parse(readFileSync(join(results, path), 'utf8')) as Check[];
    found.push([scenario, checks.map(inWords)]);
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function inWords({ id, name, status }: Check): string {
  return `${id} ${name}: ${status}`;
}
