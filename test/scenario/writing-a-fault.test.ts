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
