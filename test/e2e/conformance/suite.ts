import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Command } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { recentNode } from '../../support/recent-node.ts';

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

/** What the suite runs on. */
const NODE = 24;

/** How long a client may take for a scenario, in milliseconds: several start at once, each with a recorder. */
const PATIENCE = '120000';

const require = createRequire(import.meta.url);
const bin = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist', 'index.js');
const baseline = join(import.meta.dirname, 'expected-failures.yaml');

/** Everything that a revision requires, and what else of it the suite has. */
export const required = (revision: string): string[] => ['--requirements', revision];

/** One scenario of a revision. */
export const scenario = (revision: string, name: string): string[] => ['--scenario', name, '--spec-version', revision];

/** The command that runs a client's command with a recorder before the server, and leaves what that keeps and says in `folder`. */
export const throughRecorder = (folder: string, client: string[]): string[] => [
  process.execPath,
  join(import.meta.dirname, 'through-recorder.js'),
  folder,
  ...client,
];

/** The command that runs a client's command with the server, and with a mock of it, and leaves both logins in `folder`. */
export const throughMock = (folder: string, client: string[]): string[] => [
  process.execPath,
  join(import.meta.dirname, 'through-mock.js'),
  folder,
  ...client,
];

/** Names the scenarios for clients that a revision requires, and those that it runs beside them. */
export async function clientScenarios(revision: string): Promise<string[]> {
  const { stdout } = await run({ command: recentNode(NODE), args: [bin, 'list', ...required(revision)] });
  const [, clients = '', others = ''] = stdout.toString().split(/^(?:Client scenarios|Run and reported).*\n/m);
  const scored = [...clients.matchAll(/^ {2}- (\S+)$/gm)];
  return [...scored, ...others.matchAll(/^ {4}- (\S+) \[client\]$/gm)].map(([, name]) => name!);
}

/** Runs scenarios for servers or for clients; `target` names who is judged, `results` a folder that is to be. */
export async function conformance(
  role: 'server' | 'client',
  { scenarios, target, results }: { scenarios: string[]; target: string[]; results: string },
): Promise<Verdict> {
  const patience = role === 'client' ? ['--timeout', PATIENCE] : [];
  const options = [...patience, '--expected-failures', baseline, '-o', results];
  const { status, stdout, stderr } = await run({
    command: recentNode(NODE),
    args: [bin, role, ...target, ...scenarios, ...options],
  });
  return { checks: checksIn(results), status, said: `${stdout}${stderr}` };
}

/** The command that judges an authorization server, prints an address for its user's browser, and waits for that at `port`. */
export function authorizationSuite(issuer: string, resource: string, port: number): Command {
  const given = ['--url', issuer, '--client-id', 'suite', '--resource', resource, '--port', String(port)];
  return { command: recentNode(NODE), args: [bin, 'authorization', ...given] };
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
