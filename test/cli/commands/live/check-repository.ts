import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';

/** Makes a repository with a committed cassette of a server's lists, and returns how `mcp-record check` is run there. */
export function checkRepository() {
  const folder = temporaryFolder();
  const cassette = join(folder, 'cassettes', 'lists.yaml');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  const words = (...args: string[]) => {
    const { command, args: script } = fixture('pages-tools-of.js');
    return ['--', command, ...script, ...args];
  };
  const check = async (...args: string[]) => {
    const { stdout, stderr, status } = await run({ ...mcpRecord('check', ...args), cwd: folder });
    return { out: String(stdout), stderr, status };
  };
  beforeAll(async () => {
    mkdirSync(join(folder, 'cassettes'));
    await run(mcpRecord('record', '--lists', '-o', cassette, ...words('2', 'a', 'b', 'c')));
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'first');
  });
  return { folder, cassette, git, words, check };
}
