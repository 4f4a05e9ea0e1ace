/**
 * Installs each project of `examples/` from the packed package, and runs it as its reader would.
 *
 * `node .ci/examples.js [--record] [NAME…]`: with --record, cassettes that are missing are recorded, and come back here.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const examples = join(root, 'examples');
const folder = mkdtempSync(join(tmpdir(), 'mcp-record-examples-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const isRecording = process.argv.includes('--record');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const names = readdirSync(examples)
  .filter((name) => statSync(join(examples, name)).isDirectory())
  .filter((name) => wanted.length === 0 || wanted.includes(name));

const run = promisify(execFile);
const { CI, MCP_RECORD, ...home } = process.env;
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);
const env = {
  ...home,
  NO_COLOR: '1',
  GITHUB_BASE_REF: 'main',
  ...(CHROMIUM && { CHROMIUM }),
  ...(!isRecording && { CI: 'true' }),
};
const bash = (line, cwd) => run('bash', ['-c', line], { cwd, env, timeout: 300_000 });

const { stdout: packed } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
  cwd: root,
});
const tarball = join(folder, JSON.parse(packed)[0].filename);

/** What shows that an example in another language can be run here. */
const RUNTIMES = { pytest: 'python3 -m pytest --version', go: 'go version' };

/** The lines that a workflow would run, but for the one that installs. */
function linesOf(project) {
  const workflow = join(project, '.github', 'workflows', 'test.yml');
  if (!readdirSync(project).includes('.github')) return ['npm test'];
  const lines = [...readFileSync(workflow, 'utf8').matchAll(/^ +- run: (.+)$/gm)].map(([, line]) =>
    line.replace(/^"(.*)"$/, '$1'),
  );
  return lines.filter((line) => line !== 'npm ci');
}

async function hasRuntime(name) {
  return (
    !Object.hasOwn(RUNTIMES, name) ||
    bash(RUNTIMES[name], folder).then(
      () => true,
      () => false,
    )
  );
}

/** Makes the project a checkout of a pull request that changes nothing yet, which steps of a workflow compare with its base. */
async function commitAsBase(project) {
  const author = '-c user.name=example -c user.email=example@example.com';
  await bash('git init -q -b main && echo node_modules >.gitignore && git add -A', project);
  await bash(`git ${author} commit -q -m base && git update-ref refs/remotes/origin/main HEAD`, project);
}

/** What npm has installed, by the dependencies of a project: a link to each file is there sooner than the same installed again. */
const installed = new Map();

async function install(project, { dependencies, devDependencies }) {
  const key = JSON.stringify([dependencies, devDependencies]);
  if (installed.has(key)) return bash(`cp -al '${await installed.get(key)}' node_modules`, project);
  // Copied before a test adds files of its own.
  const copy = join(folder, `modules-${installed.size}`);
  const lines = `npm install --no-audit --no-fund --prefer-offline && cp -al node_modules '${copy}'`;
  installed.set(
    key,
    bash(lines, project).then(() => copy),
  );
  await installed.get(key);
}

async function runExample(name) {
  const project = join(folder, name);
  cpSync(join(examples, name), project, {
    recursive: true,
    filter: (path) => !path.includes('node_modules') && !path.endsWith('package-lock.json'),
  });
  const file = join(project, 'package.json');
  const described = JSON.parse(readFileSync(file, 'utf8'));
  described.devDependencies['mcp-record'] = `file:${tarball}`;
  writeFileSync(file, JSON.stringify(described));
  await install(project, described);
  await commitAsBase(project);
  for (const line of linesOf(project)) await bash(line, project);
  if (!isRecording) return;
  for (const part of readdirSync(project).filter((entry) => /^(__cassettes__|cassettes)$/.test(entry)))
    cpSync(join(project, part), join(examples, name, part), { recursive: true });
}

let failures = 0;
const queue = [...names];
async function work() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (!(await hasRuntime(name))) {
      console.log(`${name}: left out, since this fails: ${RUNTIMES[name]}`);
      continue;
    }
    try {
      await runExample(name);
      console.log(`${name}: passed`);
    } catch (error) {
      failures++;
      console.log(`${name}: failed\n${error.stdout ?? ''}${error.stderr ?? error.stack}`);
    }
  }
}
await Promise.all([work(), work()]);
process.exitCode = failures > 0 ? 1 : 0;
