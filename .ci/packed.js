/** Packs the package, installs it in an empty folder, and uses it there as a stranger would. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'mcp-record-packed-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const write = (name, text) => writeFileSync(join(folder, name), text);

const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
write('package.json', '{ "name": "stranger", "private": true, "type": "module" }');
npm(['install', '--no-audit', '--no-fund', '--omit=optional', join(folder, filename)], folder);

const cli = join(folder, 'node_modules', '.bin', 'mcp-record');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
assert.equal(execFileSync(cli, ['--version'], { cwd: folder, encoding: 'utf8' }).trim(), version);
console.log(`mcp-record ${version} answers --version`);

write(
  'server.js',
  `import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line);
  const { a, b } = params.arguments;
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: String(a + b) }] } }));
}
`,
);
const question = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'add', arguments: { a: 2, b: 3 } } })}\n`;
const ask = (...args) => {
  const { status, stdout, stderr } = spawnSync(cli, args, { cwd: folder, input: question, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
};
const live = ask('record', '-o', 'add.yaml', '--', process.execPath, 'server.js');
assert.equal(JSON.parse(live).result.content[0].text, '5');
assert.match(
  readFileSync(join(folder, 'add.yaml'), 'utf8'),
  /^# MCP session recorded by mcp-record[\s\S]*\n- end: complete\n$/,
);
assert.equal(ask('replay', 'add.yaml'), live);
console.log('a call, recorded and replayed, gives the same bytes');
assert.match(ask('demo'), /^✗ tools\/list: breaking: [\s\S]*\n1 failed, 4 passed in /m);
console.log('demo shows what it has to');

write(
  'use.ts',
  "import * as library from 'mcp-record';\nimport { replayTransport } from 'mcp-record/sdk';\nexport const names: string[] = Object.keys({ ...library, replayTransport });\n",
);
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
const options = ['--module', 'nodenext', '--strict', '--noEmit', '--target', 'es2023', '--types', ''];
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), ...options, 'use.ts'], {
  cwd: folder,
  stdio: 'inherit',
});
const names = execFileSync(
  process.execPath,
  ['-p', "import('mcp-record').then((all) => console.log(Object.keys(all).join()))"],
  { cwd: folder, encoding: 'utf8' },
);
assert.notEqual(names.split('\n').find(Boolean), undefined);
console.log('the library imports, with its types');
