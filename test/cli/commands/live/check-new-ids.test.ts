import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const folder = temporaryFolder();
const file = join(folder, 'cassettes', 'todos.yaml');
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });

const tool = (name: string) => `{ name: ${name}, inputSchema: { type: object } }`;
const session = (id: string, tools: readonly string[], rule = '') => `format: mcp-record/1
transport: stdio
events:
- client: { id: 1, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: c, version: '1' } } }
- server: { id: 1, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: s, version: '1' } } }
- client: { method: notifications/initialized }
- client: { id: 2, method: tools/list }
- server: { id: 2, result: { tools: [${tools.map(tool).join(', ')}] } }
- client: { id: 3, method: tools/call, params: { name: add, arguments: { title: milk } } }
- server: { id: 3, result: { content: [{ type: text, text: 'Added todo_${id}: milk' }] } }
${rule}`;

/** Its todos have random ids. With `undefined`, it has forgotten them. */
const SERVER = `
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') say(id, { tools: ['add', 'list'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  const made = process.argv[1] ?? 'todo_' + require('crypto').randomBytes(4).toString('hex');
  if (method === 'tools/call') say(id, { content: [{ type: 'text', text: 'Added ' + made + ': ' + params.arguments.title }] });
});`;

const check = async (options: readonly string[], ...words: string[]) => {
  const args = ['cassettes', '--base', 'HEAD', '--fail-on', 'breaking', '--markdown', 'comment.md', ...options];
  const command = mcpRecord('check', ...args, '--', process.execPath, '-e', SERVER, ...words);
  const { stdout, status } = await run({ ...command, cwd: folder });
  return { out: String(stdout), markdown: readFileSync(join(folder, 'comment.md'), 'utf8'), status };
};
const PATTERN = 'Added todo_[0-9a-fA-F]{8,}';

beforeAll(() => {
  mkdirSync(join(folder, 'cassettes'));
  writeFileSync(file, session('11e14c94', ['add']));
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
});

it('says what failed the comparison with a revision, what passes, and which option leaves out an id', async () => {
  writeFileSync(file, session('f9d31723', ['add', 'list']));
  const { out, markdown, status } = await check([]);
  expect(status).toBe(1);
  const [failure, ...others] = /```text\n([\s\S]*?)\n```/.exec(markdown)![1]!.split('\n');
  expect(failure).toMatch(/^✗ tools\/call "add": .*"Added todo_11e14c94: milk" → "Added todo_f9d31723: milk"/);
  expect(others.filter((line) => line.includes('compatible: '))).toEqual([
    expect.stringMatching(/^✓ tools\/list: compatible: new tool "list" /),
  ]);
  expect(out).toMatch(/^ {2}✓ tools\/list: compatible: new tool "list" /m);
  for (const text of [out, markdown]) expect(text).toContain("--ignore-pattern 'PATTERN'");
});

it('passes with that option, and fails a server that has forgotten the id', async () => {
  writeFileSync(file, session('f9d31723', ['add', 'list']));
  const right = await check(['--ignore-pattern', PATTERN]);
  expect([right.status, right.markdown]).toEqual([0, expect.not.stringContaining('❌')]);
  expect(right.out).not.toContain('hint: For --base');
  const wrong = await check(['--ignore-pattern', PATTERN], 'todo_undefined');
  expect([wrong.status, wrong.markdown]).toEqual([1, expect.stringMatching(/^✗ tools\/call "add": .*todo_undefined/m)]);
});

it('fails a rule that is new in the cassette, with the reason and the option', async () => {
  writeFileSync(file, session('f9d31723', ['add', 'list'], `  match: { ignore: ['/${PATTERN}/'] }\n`));
  const { out, markdown, status } = await check([]);
  expect(status).toBe(1);
  expect(out).toContain('✓ server    passed');
  expect(out).toMatch(/^ {2}✗ The settings of the answer to tools\/call "add" differ: .*match\.ignore: none → /m);
  expect(markdown).toMatch(/^✗ The settings of the answer to tools\/call "add" differ: /m);
  expect(markdown).toMatch(/^✗ tools\/call "add": /m);
  for (const text of [out, markdown]) expect(text).toContain("--ignore-pattern 'PATTERN'");
});
