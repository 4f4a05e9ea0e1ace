import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, wordsOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = 'docs/sweep-orders.md';
const blocks = blocksOf(page, readFileSync(join(root, page), 'utf8'));
const folder = join(temporaryFolder(), 'page');

it('the page on orders shows what its commands print for its client and its server', async () => {
  mkdirSync(folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { text } of blocks) {
    const [, name] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text) ?? [];
    if (name !== undefined) writeFileSync(join(folder, name), text);
  }
  const shown: [sweep: string, output: string][] = blocks.flatMap(({ language, text }, index) => {
    const [command = ''] = text.split('\n');
    const output = blocks[index + 1];
    const isSweep = language === 'sh' && command.startsWith('mcp-record sweep') && !command.includes('--http');
    return isSweep && output?.language === 'text' ? [[command, output.text]] : [];
  });
  expect(shown.map(([command]) => command.includes('--server'))).toEqual([false, false, true]);
  for (const [command, output] of shown) {
    const { stdout } = await run({ ...mcpRecord(...wordsOf(command).slice(1)), cwd: folder });
    expect(stdout.toString()).toContain(output);
  }

  const program = readFileSync(join(folder, 'client.js'), 'utf8');
  const mended = blocks.findIndex(({ text }) => text.startsWith('const ask ='));
  const [command] = shown[0]!;
  writeFileSync(
    join(folder, 'client.js'),
    program.replace(/^const reports = [\s\S]*?^await Promise\.all.*\n/m, () => blocks[mended]!.text),
  );
  const { stdout } = await run({ ...mcpRecord(...wordsOf(command).slice(1)), cwd: folder });
  expect(stdout.toString()).toContain(blocks[mended + 1]!.text);
});
