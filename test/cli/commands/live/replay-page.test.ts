import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { blocksOf } from '../../../support/blocks.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { itOnPosix } from '../../../support/on-posix.ts';
import { projectIn } from '../../../support/project.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/replay.md'), 'utf8');
const blocks = blocksOf('docs/replay.md', page);
const blockFrom = (start: string) => blocks.find(({ text }) => text.startsWith(start))!.text;

const { folder, env } = projectIn(temporaryFolder(), ['@modelcontextprotocol/sdk']);
writeFileSync(join(folder, 'weather.yaml'), blockFrom('# weather.yaml'));

/** Returns what the client of the page prints, after a change of its file. */
function printedBy(change: (client: string) => string): { stdout: string; stderr: string } {
  writeFileSync(join(folder, 'client.js'), change(blockFrom('// client.js')));
  return spawnSync('bash', ['-c', 'node client.js'], { cwd: folder, env, encoding: 'utf8' });
}

itOnPosix('shell', 'docs/replay.md shows what its client prints', () => {
  const { stdout } = printedBy((client) => client);
  expect(stdout).toBe(blockFrom('{ content:'));
});

itOnPosix('shell', 'docs/replay.md shows what a miss looks like', () => {
  const { stderr } = printedBy((client) => client.replace('Oslo', 'Rome'));
  expect(stderr).toContain(blockFrom('mcp-record: Cannot answer'));
});

itOnPosix('shell', 'docs/replay.md shows what is said of a request that never came', () => {
  const { stderr } = printedBy((client) => client.replace(/^console.*\n/m, ''));
  expect(stderr).toContain(blockFrom('mcp-record: 1 recorded request never came'));
});
