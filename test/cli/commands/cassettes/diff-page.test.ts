import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, wordsOf } from '../../../support/blocks.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/diff.md'), 'utf8');
const blocks = blocksOf('docs/diff.md', page);
const folder = temporaryFolder();

/** Returns the text of the block that begins with this line. */
const blockFrom = (start: string) => blocks.find(({ text }) => text.startsWith(start))!.text;
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Returns what `diff` prints for a command line of the page. */
function printedBy(line: string): string {
  const { command, args } = mcpRecord(...wordsOf(line).slice(1));
  return spawnSync(command, args, { cwd: folder, encoding: 'utf8' }).stdout;
}

it('shows what diff prints for the sessions that the reader saves', () => {
  put('before.yaml', blockFrom('# before.yaml'));
  put('after.yaml', blockFrom('# after.yaml'));
  expect(printedBy('mcp-record diff before.yaml after.yaml')).toBe(blockFrom('~ tools/list: breaking'));
});

it('shows the note about a change that passes', () => {
  const optional = blockFrom('# after.yaml').replace('required: [city, country]', 'required: [city]');
  put('before.yaml', blockFrom('# before.yaml'));
  put('after.yaml', optional);
  const printed = printedBy('mcp-record diff --fail-on breaking before.yaml after.yaml');
  expect(printed).toContain(blockFrom('note: --fail-on breaking'));
});

it('shows ids that the server made up, and a wrong one', () => {
  const monday = blockFrom('# monday.yaml');
  const tuesday = monday.replaceAll('ord_8f3a61c0', 'ord_73d1f9e2');
  put('monday.yaml', monday);
  put('tuesday.yaml', tuesday);
  put('wednesday.yaml', tuesday.replace("'ord_73d1f9e2: tea'", "'ord_11aa22bb: tea'"));
  expect(printedBy('mcp-record diff monday.yaml tuesday.yaml')).toBe(blockFrom('note: The server made up'));
  const [headline] = printedBy('mcp-record diff monday.yaml wednesday.yaml').split('\n');
  expect(`${headline}\n`).toBe(blockFrom('~ tools/call "status"'));
});
