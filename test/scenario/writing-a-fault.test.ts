import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VitestProject } from '../adapters/vitest-project.ts';
import { blocksOf } from '../support/blocks.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { readTree } from '../support/house/source.ts';
import { describeOnPosix, itOnPosix } from '../support/on-posix.ts';

const page = 'docs/writing-a-fault.md';
const tree = readTree(join(import.meta.dirname, '..', '..'));
const blocks = blocksOf(page, tree.get(page)!);
const textOf = (file: string) => blocks.find(({ text }) => text.startsWith(`// ${file}\n`))!.text;

const last = "  await expect(call()).rejects.toThrow('Request timed out');\n";
const printed = blocks.find(({ language }) => language === '')!.text.trim();

describeOnPosix('links', 'the test of writing a fault', () => {
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
  ])('%s', async (_, changes, status, said) => {
    const project = new VitestProject(temporaryFolder(), '');
    const texts = ['slower.ts', 'slower.test.ts'].map((file) => [file, textOf(file)] as const);
    for (const [from] of changes) expect(texts.map(([, text]) => text).join('')).toContain(from);
    for (const [file, text] of texts) {
      const changed = changes.reduce((before, [from, to]) => before.replace(from, to), text);
      writeFileSync(join(project.folder, file), changed);
    }
    expect(await project.run('none', 'slower')).toMatchObject({ status, said: expect.stringContaining(said) });
  });
});

/** What the page says of the fault `quota`: where it works, and what each line for HTTP is needed for. */
const QUOTA_TEST = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { tool } from 'mcp-record/mock';
import { test } from 'mcp-record/vitest';
import { expect } from 'vitest';
import { quota } from './quota.js';
import { quota as withoutSpan } from './without-span.js';
import { quota as withoutClose } from './without-close.js';

const optionsWith = (fault) => ({ handlers: [tool('weather', () => 'sunny')], faults: [fault({ calls: 1 })] });
async function callTwice(transport) {
  const client = new Client({ name: 'my-client', version: '1.0.0' });
  await client.connect(transport);
  const call = () => client.callTool({ name: 'weather' }, undefined, { timeout: 1000 });
  await call();
  return call().finally(() => client.close());
}
async function callTwiceOverHttp(mcp, fault) {
  const { url } = await mcp.server({ ...optionsWith(fault), over: 'http' });
  return callTwice(new StreamableHTTPClientTransport(new URL(url)));
}

test('in memory', async ({ mcp }) => {
  const { transport } = await mcp.server(optionsWith(quota));
  await expect(callTwice(transport)).rejects.toThrow('Quota exceeded');
});
test('over HTTP', async ({ mcp }) => {
  await expect(callTwiceOverHttp(mcp, quota)).rejects.toThrow('Quota exceeded');
});
test('over HTTP without the span', async ({ mcp }) => {
  expect((await callTwiceOverHttp(mcp, withoutSpan)).content).toEqual([{ type: 'text', text: 'sunny' }]);
});
test('over HTTP without the end of the response', async ({ mcp }) => {
  await expect(callTwiceOverHttp(mcp, withoutClose)).rejects.toThrow('timed out');
});
`;

itOnPosix(
  'links',
  'the fault "quota" refuses calls in memory and over HTTP, where it needs the lines that the page names',
  async () => {
    const project = new VitestProject(temporaryFolder(), '');
    const text = textOf('quota.ts');
    const variants: [file: string, removed: RegExp][] = [
      ['quota.ts', /(?!)/],
      ['without-span.ts', / +span: 'session',.*\n/],
      ['without-close.ts', / +if \(transport === 'http'\).*\n/],
    ];
    for (const [file, removed] of variants) writeFileSync(join(project.folder, file), text.replace(removed, ''));
    writeFileSync(join(project.folder, 'quota.test.js'), QUOTA_TEST);
    expect(await project.run('none', 'quota')).toMatchObject({ status: 0, said: expect.stringContaining('4 passed') });
  },
);

const NO_SUN_TEST = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { tool } from 'mcp-record/mock';
import { test } from 'mcp-record/vitest';
import { expect } from 'vitest';
import { noSun } from './no-sun.js';

test.for([['sunny', 'rain'], ['cloudy', 'cloudy']])('%s', async ([weather, heard], { mcp }) => {
  const { transport } = await mcp.server({ handlers: [tool('weather', () => weather)], faults: [noSun()] });
  const client = new Client({ name: 'my-client', version: '1.0.0' });
  await client.connect(transport);
  expect((await client.callTool({ name: 'weather' })).content).toEqual([{ type: 'text', text: heard }]);
});
`;

itOnPosix(
  'links',
  'the fault "no-sun" fires where it changes something, and fails the other test as the page says',
  async () => {
    const project = new VitestProject(temporaryFolder(), '');
    const text = blocks.find((block) => block.text.includes("name: 'no-sun'"))!.text;
    writeFileSync(join(project.folder, 'no-sun.ts'), text);
    writeFileSync(join(project.folder, 'no-sun.test.js'), NO_SUN_TEST);
    const { status, said } = await project.run('none', 'no-sun');
    const [reason] = /Rule 1 \(no-sun\)[^`]*/.exec(tree.get(page)!)!;
    expect([status, said]).toEqual([1, expect.stringMatching(/1 failed.*1 passed/)]);
    expect(said).toContain(reason);
  },
);
