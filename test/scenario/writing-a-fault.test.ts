import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VitestProject } from '../adapters/vitest-project.ts';
import { blocksOf } from '../support/blocks.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { readTree } from '../support/house/source.ts';

const page = 'docs/writing-a-fault.md';
const tree = readTree(join(import.meta.dirname, '..', '..'));
const blocks = blocksOf(page, tree.get(page)!);
const textOf = (file: string) => blocks.find(({ text }) => text.startsWith(`// ${file}\n`))!.text;

const last = "  await expect(call()).rejects.toThrow('Request timed out');\n";
const printed = blocks.find(({ language }) => language === '')!.text.trim();

it.each<[title: string, changes: [from: string, to: string][], status: number, said: string]>([
  ['passes as it is', [], 0, '1 passed'],
  ['fails where the fault delays nothing', [['delay += step', 'delay += 0']], 1, 'promise resolved'],
  [
    'fails as the page says where the fault never happens',
    [
      ["'tools/call'", "'prompts/get'"],
      [last, ''],
    ],
    1,
    printed,
  ],
])('the test of writing a fault %s', async (_, changes, status, said) => {
  const project = new VitestProject(temporaryFolder(), '');
  const texts = ['slower.ts', 'slower.test.ts'].map((file) => [file, textOf(file)] as const);
  for (const [from] of changes) expect(texts.map(([, text]) => text).join('')).toContain(from);
  for (const [file, text] of texts) {
    const changed = changes.reduce((before, [from, to]) => before.replace(from, to), text);
    writeFileSync(join(project.folder, file), changed);
  }
  expect(await project.run('none', 'slower')).toMatchObject({ status, said: expect.stringContaining(said) });
});

const QUOTA_TEST = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { tool } from 'mcp-record/mock';
import { test } from 'mcp-record/vitest';
import { expect } from 'vitest';
import { quota } from './quota.js';

const options = { handlers: [tool('weather', () => 'sunny')], faults: [quota({ calls: 2 })] };
async function expectRefusal(transport) {
  const client = new Client({ name: 'my-client', version: '1.0.0' });
  await client.connect(transport);
  const call = () => client.callTool({ name: 'weather' }, undefined, { timeout: 2000 });
  await call();
  await call();
  await expect(call()).rejects.toThrow('Quota exceeded');
  await client.close();
}

test('in memory', async ({ mcp }) => expectRefusal((await mcp.server(options)).transport));
test('over HTTP', async ({ mcp }) => {
  const { url } = await mcp.server({ ...options, over: 'http' });
  await expectRefusal(new StreamableHTTPClientTransport(new URL(url)));
});
`;

it.each<[title: string, from: string, status: number, said: string]>([
  ['answers calls in place of the server, in memory and over HTTP', 'start(', 0, '2 passed'],
  ['refuses no call over HTTP without `span`', "span: 'session',", 1, 'promise resolved'],
  ['leaves the client waiting over HTTP where the response does not end', "if (transport === 'http')", 1, 'timed out'],
])('the fault "quota" %s', async (_, from, status, said) => {
  const project = new VitestProject(temporaryFolder(), '');
  const text = textOf('quota.ts');
  expect(text).toContain(from);
  const changed = status === 0 ? text : text.replace(from, from.startsWith('if') ? 'if (false)' : '');
  writeFileSync(join(project.folder, 'quota.ts'), changed);
  writeFileSync(join(project.folder, 'quota.test.js'), QUOTA_TEST);
  expect(await project.run('none', 'quota')).toMatchObject({ status, said: expect.stringContaining(said) });
});
