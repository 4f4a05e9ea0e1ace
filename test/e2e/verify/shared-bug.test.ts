import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = 'docs/share-a-bug.md';
const folder = temporaryFolder();
const blocks = blocksOf(page, readFileSync(join(root, page), 'utf8'));
const example = blocks.find(({ language, text }) => language === 'yaml' && text.startsWith('format:'))!.text;
const shop = ['node', join(root, 'test', 'fixtures', 'documents', 'shop.js')];

async function status(text: string, env: Record<string, string> = {}) {
  const file = join(folder, 'shop.yaml');
  writeFileSync(file, text);
  return (await run({ ...mcpRecord('verify', file, '--', ...shop), env })).status;
}

it('tells a server with the bug from one without it, although its ids are new in each session', async () => {
  expect(await status(example)).toBe(0);
  expect(await status(example, { FIXED: '1' })).toBe(1);
});

it('would not tell them apart without the rule beside the answer', async () => {
  const without = example.replace(/^ {2}match:.*\n/m, '');
  expect(without).not.toBe(example);
  expect([await status(without), await status(without, { FIXED: '1' })]).toEqual([1, 1]);
});
