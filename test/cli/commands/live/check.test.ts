import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';

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

it('checks all cassettes for secrets, against the protocol, a revision and a server', async () => {
  const { out, status } = await check(
    'cassettes',
    '--base',
    'HEAD',
    '--reports',
    'reports',
    ...words('9', 'a', 'b', 'c'),
  );
  expect(out).toContain(
    [
      '✓ secrets   passed: nothing to redact in 1 file',
      '✓ protocol  passed: 0 errors, 0 warnings',
      '✓ changes   passed: 1 cassette compared, 0 deleted, 0 new',
      '✓ server    passed: 2 passed in',
    ].join('\n'),
  );
  expect(status).toBe(0);
  expect(readdirSync(join(folder, 'reports'))).toEqual([
    'diff-cassettes.xml',
    'lint.sarif',
    'lint.xml',
    'redact.sarif',
    'redact.xml',
    'verify-cassettes%2Flists.yaml.sarif',
    'verify-cassettes%2Flists.yaml.xml',
  ]);
});

it('fails if the server takes a tool away, and names it in the Markdown', async () => {
  const options = ['--fail-on', 'breaking', '--markdown', 'summary.md'];
  const { out, status } = await check('cassettes', ...options, ...words('9', 'a', 'c'));
  expect(status).toBe(1);
  expect(out).toContain('✗ server    failed: 1 failed, 1 passed');
  const markdown = readFileSync(join(folder, 'summary.md'), 'utf8');
  expect(markdown).toContain('breaking: tool "b" was removed');
});
