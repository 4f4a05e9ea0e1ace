/** Where the corpora are: clones in the folder that CORPORA names, made there if they are missing and the network lets us. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CLONES = resolve(process.env.CORPORA ?? join(tmpdir(), 'mcp-record-corpora'));
const CLONE_MS_MAX = 10 * 60_000;

/** Whose tests and rules are read, and whose sources hold no secret. */
export const REPOSITORIES = {
  gitleaks: 'https://github.com/gitleaks/gitleaks',
  trufflehog: 'https://github.com/trufflesecurity/trufflehog',
  secretlint: 'https://github.com/secretlint/secretlint',
  'detect-secrets': 'https://github.com/Yelp/detect-secrets',
  'mcp-scanner': 'https://github.com/cisco-ai-defense/mcp-scanner',
  'damn-vulnerable-mcp-server': 'https://github.com/harishsg993010/damn-vulnerable-MCP-server',
  pyopenssl: 'https://github.com/pyca/pyopenssl',
  maven: 'https://github.com/apache/maven',
  'spring-security': 'https://github.com/spring-projects/spring-security',
  /** What this project has installed, which is fetched from nowhere. */
  packages: undefined,
};

/**
 * The folder of the clone named so.
 * @throws Error if it is not there and cannot be cloned
 */
export function repository(name) {
  if (name === 'packages') return join(import.meta.dirname, '..', '..', 'node_modules');
  const folder = join(CLONES, name);
  if (existsSync(folder)) return folder;
  mkdirSync(CLONES, { recursive: true });
  const { status, stderr, error } = spawnSync('git', ['clone', '--quiet', '--depth', '1', REPOSITORIES[name], folder], {
    encoding: 'utf8',
    timeout: CLONE_MS_MAX,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  if (status === 0) return folder;
  const why = (error?.message ?? stderr.trim().split('\n').at(-1)) || `git ended with ${status}`;
  throw new Error(
    `${folder} is missing and ${REPOSITORIES[name]} cannot be cloned: ${why}. Clone it elsewhere, and name the folder that has it: CORPORA=FOLDER.`,
  );
}
