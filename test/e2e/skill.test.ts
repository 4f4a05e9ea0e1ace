import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../support/blocks.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { itOnPosix } from '../support/on-posix.ts';
import { projectIn } from '../support/project.ts';

const root = join(import.meta.dirname, '..', '..');
const skill = readFileSync(join(root, 'docs/skill/SKILL.md'), 'utf8');
const blocks = blocksOf('docs/skill/SKILL.md', skill).filter(({ language }) => language === 'ts');

it('the skill for coding agents is short, and says when it applies', () => {
  expect(skill).toMatch(/^---\nname: mcp-record\ndescription: .{100,1000}\n---\n/);
  expect(skill.split('\n').length).toBeLessThanOrEqual(150);
});

/** test/commands.test.ts runs its commands. */
itOnPosix('shell', 'each test of the skill passes as it stands there, and again from its recording', () => {
  const { folder, env } = projectIn(temporaryFolder(), ['vitest', '@modelcontextprotocol/sdk', 'zod'], {
    vitest: 'vitest/vitest.mjs',
  });
  for (const name of ['server.js', 'client.js'])
    copyFileSync(join(root, 'test/fixtures/documents', name), join(folder, name));
  const run = (line: string, CI = '') =>
    spawnSync('bash', ['-c', line], { cwd: folder, env: { ...env, CI }, encoding: 'utf8' });
  run('node client.js mcp-record record -o cassette.yaml -- node server.js');
  expect(blocks).toHaveLength(4);
  for (const [index, { text }] of blocks.entries()) writeFileSync(join(folder, `skill-${index}.test.ts`), text);
  for (const CI of ['', 'true']) {
    const { status, stdout, stderr } = run('vitest run', CI);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/Test Files +4 passed/);
  }
});
