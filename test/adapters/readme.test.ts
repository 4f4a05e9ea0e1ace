import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { everything } from '../support/command.ts';
import { run } from '../support/process.ts';
import { installIn } from '../support/project.ts';

const root = join(import.meta.dirname, '..', '..');
const project = temporaryFolder();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const [mocking = '', testing = '', ...others] = [
  ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm),
].map(([, code]) => code!);

beforeAll(() => {
  installIn(project, ['vitest', '@modelcontextprotocol/sdk']);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'vitest.config.js'), 'export default { test: { testTimeout: 60_000 } };');
});

it('the README shows no other code than what is run here', () => {
  expect(others).toEqual([]);
});

it('the test of the README mocks a server, and fails where no handler answers', async () => {
  const swallowed = mocking
    .replace("tool('search'", "tool('serch'")
    .replace(
      / {2}const \{ content \}[\s\S]*?\n\}\);/,
      "  await client.callTool({ name: 'search' }).catch(() => {});\n});",
    );
  for (const [source, status, said] of [
    [mocking, 0, '1 passed'],
    [swallowed, 1, 'did you mean "serch"'],
  ] as const) {
    writeFileSync(join(project, 'mock.test.js'), source);
    const { stdout, stderr, ...ended } = await run({
      command: 'env',
      args: ['-u', 'CI', 'NO_COLOR=1', process.execPath, vitest, 'run', '--root', project, 'mock.test.js'],
    });
    expect([ended.status, `${stdout}${stderr}`]).toEqual([status, expect.stringContaining(said)]);
  }
});

it('the test of the README records itself, and replays', async () => {
  const { command, args } = everything;
  const words = JSON.stringify({ command, args });
  const code = testing.replace("{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] }", words);
  expect(code).not.toBe(testing);
  const env = ['-u', 'CI', '-u', 'MCP_RECORD', 'NO_COLOR=1'];
  for (const source of [code, code.replace(JSON.stringify(command), '"no-such-server"')]) {
    writeFileSync(join(project, 'readme.test.js'), source);
    const { status, stdout, stderr } = await run({
      command: 'env',
      args: [...env, process.execPath, vitest, 'run', '--root', project, 'readme.test.js'],
    });
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('1 passed')]);
  }
});
