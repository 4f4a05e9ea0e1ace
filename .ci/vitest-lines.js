/**
 * Runs the tests of the vitest fixture, and a client test that records and replays, on each line of vitest that we are
 * made for: `node .ci/vitest-lines.js [3 4 5]`. Lines that this Node is too old for are left out, and said.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'mcp-record-vitest-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const node = Number(process.versions.node.split('.', 1)[0]);
const NEEDS = { 3: 20, 4: 20, 5: 22 };
const asked = process.argv.slice(2);
const lines = Object.keys(NEEDS).filter((line) => asked.length === 0 || asked.includes(line));

const run = promisify(execFile);
const { CI, MCP_RECORD, ...home } = process.env;
const env = { ...home, NO_COLOR: '1' };
const npm = (args, cwd) => run('npm', args, { cwd, env, timeout: 300_000 });

const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
const { stdout: packed } = await npm(pack, root);
const tarball = join(folder, JSON.parse(packed)[0].filename);

const TYPES = `import { test } from 'mcp-record/vitest';
import { expect } from 'vitest';

test('types', async ({ mcp }) => {
  expect(mcp).toHaveReceivedRequest('tools/call', { name: 'weather' });
  // @ts-expect-error: a method is a text
  expect(mcp).toHaveReceivedRequest(7);
  // @ts-expect-error: no such mode
  await mcp.connect({ command: 'node' }, { mode: 'reply' });
});
`;

async function onLine(line) {
  const project = join(folder, `on-${line}`);
  cpSync(join(root, 'examples', 'client-test'), project, { recursive: true });
  const file = join(project, 'package.json');
  const described = JSON.parse(readFileSync(file, 'utf8'));
  Object.assign(described.devDependencies, {
    'mcp-record': `file:${tarball}`,
    vitest: `^${line}.0.0`,
    typescript: '^5.9.0',
  });
  writeFileSync(file, JSON.stringify(described));
  writeFileSync(join(project, 'types.ts'), TYPES);
  await npm(['install', '--no-audit', '--no-fund', '--prefer-offline'], project);
  const vitest = (...args) => run('npx', ['vitest', 'run', ...args], { cwd: project, env, timeout: 120_000 });
  rmSync(join(project, '__cassettes__'), { recursive: true });
  cpSync(join(project, 'weather-app.test.js'), join(project, 'other.test.js'));
  await vitest();
  await vitest('--pool=threads');
  await vitest('--pool=forks', '--sequence.concurrent');
  await vitest('--shard=1/2');
  await vitest('--shard=2/2');
  const before = cassettesOf(project);
  await vitest();
  assert.deepEqual(cassettesOf(project), before, 'a replay leaves the cassettes as they are');
  await vitest('-u');
  assert.notDeepEqual(cassettesOf(project), before, '-u records anew');
  await run('npx', ['vitest', 'run'], { cwd: project, env: { ...env, CI: 'true' }, timeout: 120_000 });
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', '--noEmit'];
  await run('npx', ['tsc', ...options, 'types.ts'], { cwd: project, env, timeout: 120_000 });
}

/** The files of the cassettes, of which each recording makes new ones. */
function cassettesOf(project) {
  const folder = join(project, '__cassettes__');
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.yaml'));
  assert.equal(files.length, 2);
  return files.map((name) => [name, statSync(join(folder, name)).ino]);
}

let failures = 0;
for (const line of lines) {
  if (node < NEEDS[line]) {
    console.log(`vitest ${line}: left out, it needs Node ${NEEDS[line]}`);
    continue;
  }
  try {
    await onLine(line);
    console.log(`vitest ${line}: passed`);
  } catch (error) {
    failures++;
    console.log(`vitest ${line}: failed\n${error.stdout ?? ''}${error.stderr ?? error.stack}`);
  }
}
process.exitCode = failures > 0 ? 1 : 0;
