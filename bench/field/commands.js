/** The programs that `npm run field` runs: npm, and mcp-record. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

export const ROOT = join(import.meta.dirname, '..', '..');
/** The folder of packages and results. It is kept, so that a run that was ended goes on. */
export const FIELD = resolve(process.env.FIELD ?? join(tmpdir(), 'mcp-record-field'));

/** Returns the command line of mcp-record, as a person types it in the root of the repository. */
export const mcpRecord = (...words) => ['node', 'bin/mcp-record.js', ...words];

/** Runs a command, by default in the root of the repository, and returns its output. After `timeout` milliseconds, it is ended. */
export async function run([command, ...args], env = {}, { cwd = ROOT, timeout } = {}) {
  const child = spawn(command, args, {
    cwd,
    timeout,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)),
  ]);
  return { stdout, stderr, status };
}

/** Runs a command of mcp-record that prints JSON, and returns it. */
export async function runJson(words, env) {
  const { stdout, stderr } = await run(words, env);
  let json;
  try {
    json = JSON.parse(stdout);
  } catch {
    throw new Error(`${words.join(' ')} printed no JSON: ${stdout.slice(0, 400)}${stderr.slice(-800)}`);
  }
  if (json.error) throw new Error(json.error.message);
  return json;
}

/** Installs packages in a folder, unless these are there. No script of a package runs. */
export async function install(folder, packages) {
  const done = join(folder, 'installed.json');
  if (existsSync(done) && readFileSync(done, 'utf8') === JSON.stringify(packages)) return;
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(FIELD, 'home'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  // A driver in the repository imports packages of this folder through this file.
  writeFileSync(join(folder, 'import-here.mjs'), 'export const importHere = (specifier) => import(specifier);\n');
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact'];
  const { status, stderr } = await run(['npm', 'install', ...options, ...packages]);
  if (status !== 0) throw new Error(`npm cannot install ${packages.join(', ')}: ${stderr.slice(-800)}`);
  writeFileSync(done, JSON.stringify(packages));
}
