import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const built = (folder: string) => symlinkSync(join(root, 'dist'), join(folder, 'dist'));
const installed = (folder: string) => symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-test-'));
  cpSync(join(root, 'bench'), join(folder, 'bench'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true }));

function bench(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bench', 'run.js'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** A bench of our own. */
function addBench(name: string, task: string, more = ''): void {
  const text = [
    "import { LineClient, pump } from './line-client.js';",
    `export const name = '${name}';`,
    more,
    `export async function run() { ${task} }`,
  ].join('\n');
  writeFileSync(join(folder, 'bench', `${name}.js`), text);
}

it('without what is measured it says what to do, and no figure', () => {
  installed(folder);
  expect(bench('cassette')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'What is measured is not built: npm run build.\n',
  });
});

it('without what is measured against it says what to do, and no figure', () => {
  mkdirSync(join(folder, 'dist', 'bin'), { recursive: true });
  writeFileSync(join(folder, 'dist', 'bin', 'main.js'), '');
  const { status, stdout, stderr } = bench('in-process');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^What is measured against is not installed: npm ci\. \(Cannot find package/);
});

it('asked for a bench or an option that is not there it names those that are', () => {
  built(folder);
  installed(folder);
  const names = readdirSync(join(folder, 'bench'))
    .sort()
    .flatMap((file) => (file.endsWith('.js') ? [readFileSync(join(folder, 'bench', file), 'utf8')] : []))
    .flatMap((text) => /^export const name = '(.+)'/m.exec(text)?.[1] ?? []);
  const choices = `Choose from: ${names.join(', ')}.`;
  expect(bench('cassettes')).toEqual({
    status: 2,
    stdout: '',
    stderr: `There is no bench "cassettes". ${choices}\n`,
  });
  const { status, stdout, stderr } = bench('cassette', '--fast');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain("Unknown option '--fast'");
});

it('a contender that ends before it has answered is an error that names it, and no figure', () => {
  built(folder);
  installed(folder);
  addBench('asked', `await new LineClient(['no-server.js']).ask(1);`);
  addBench('pumped', `await pump(new LineClient(['no-server.js']), 10);`);
  addBench('waiting', 'await new Promise(() => {});');
  for (const name of ['asked', 'pumped']) {
    const { status, stdout, stderr } = bench(name);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`${name} …\nCannot measure ${name}: no-server.js ended before it had answered: 1\n`);
    expect(stderr).toContain("Error: Cannot find module '");
  }
  const { status, stdout, stderr } = bench('waiting');
  expect({ status, stdout }).toEqual({ status: 13, stdout: '' });
  expect(stderr).toContain('Cannot measure waiting: what it waited for has ended.');
});

it('another build that is not there is an error that says what to do, and no figure', () => {
  built(folder);
  installed(folder);
  process.env.BESIDE = join(folder, 'none');
  onTestFinished(() => void delete process.env.BESIDE);
  expect(bench('starts')).toEqual({
    status: 1,
    stdout: '',
    stderr: `starts …\nCannot measure starts: BESIDE names ${join(folder, 'none')}, which has no dist/bin/main.js. Build that commit first: npm run build.\n`,
  });
});

// Linux alone counts the work of each thread.
it.runIf(process.platform === 'linux').each([
  ['the library', 'redact', ''],
  ['the program', 'bin', '// src/kernel/clock.ts\n\n// src/redact/spin.ts\n'],
])('a profile says in which room of src a program worked, and leaves out what it waited: %s', (_, room, before) => {
  mkdirSync(join(folder, 'dist', 'bin'), { recursive: true });
  mkdirSync(join(folder, 'dist', room), { recursive: true });
  writeFileSync(join(folder, 'dist', 'bin', 'main.js'), '');
  writeFileSync(
    join(folder, 'dist', room, 'spin.js'),
    [`${before}export function spin() {`, '  for (let n = 0; n < 3_000_000; n++) JSON.parse(String(n));', '}'].join(
      '\n',
    ),
  );
  const file = join(folder, 'bench', 'spinning.js');
  writeFileSync(
    file,
    [
      "import { once } from 'node:events';",
      `import { spin } from '../dist/${room}/spin.js';`,
      "import { watched } from './profile/watched.js';",
      "const waitThenSpin = () => once(process.stdin.resume(), 'end').then(spin);",
      'console.log(JSON.stringify(await watched(process.pid, waitThenSpin)));',
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'bench', 'spun.js'),
    [
      "import { execFileSync } from 'node:child_process';",
      "import { profileRows } from './profile/table.js';",
      "export const name = 'spun';",
      `const tell = (_, options) => JSON.parse(execFileSync(process.execPath, [...options, '${file}']));`,
      "export const run = () => profileRows(1, ['it'], { spinning: { units: 1, run: tell } });",
    ].join('\n'),
  );
  const { status, stdout, stderr } = bench('spun', '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'spun …\n' });
  const [{ rows }] = JSON.parse(stdout) as [{ rows: { what: string; values: { spinning: number } }[] }];
  const took = new Map(rows.map(({ what, values }) => [what, values.spinning]));
  expect([...took.keys()]).toContain('it, in all');
  expect([...took.keys()]).not.toContain('(idle)');
  const [most] = [...took].filter(([what]) => what !== 'it, in all').sort(([, a], [, b]) => b - a);
  expect(most?.[0]).toBe('src/redact');
});

it('the page has a part for what is always measured and one for what is measured on request, and neither touches the other', () => {
  built(folder);
  installed(folder);
  const rows = "return [{ what: 'it', unit: 'ms', values: { us: 1 } }];";
  addBench('always', rows);
  addBench('asked', rows, 'export const isOnRequest = true;');
  mkdirSync(join(folder, 'docs'));
  const page = join(folder, 'docs', 'performance.md');
  writeFileSync(
    page,
    [
      'Before.\n<!-- figures -->\nold\n<!-- end of figures -->\nBetween.',
      '<!-- figures on request -->\nold too\n<!-- end of figures on request -->\nAfter.\n',
    ].join('\n'),
  );
  const table = (name: string) => `### ${name}\n\n|  | unit | us |\n| --- | --- | ---: |\n| it | ms | 1 |\n\n<!--`;
  expect(bench('asked', '--page').status).toBe(0);
  const once = readFileSync(page, 'utf8');
  expect(once).toMatch(/^Before\.\n<!-- figures -->\nold\n<!-- end of figures -->\nBetween\./);
  expect(once).not.toContain('old too');
  expect(once).toContain(table('asked'));
  expect(bench('always', '--page').status).toBe(0);
  const twice = readFileSync(page, 'utf8');
  expect(twice).toContain(table('always'));
  expect(twice.slice(twice.indexOf('Between.'))).toBe(once.slice(once.indexOf('Between.')));
});
