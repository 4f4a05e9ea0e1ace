import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mockServer } from '../../../../src/adapters/mock.ts';
import { checkRepository } from './check-repository.ts';

const { folder, cassette, git, words, check } = checkRepository();

it('says once which files are no cassettes', async () => {
  const other = join(folder, 'cassettes/workflow.yaml');
  writeFileSync(other, 'name: contract\n');
  const { out, status } = await check('cassettes', '--base', 'HEAD');
  rmSync(other);
  expect([out.split('workflow.yaml is no cassette, and was passed over').length - 1, status]).toEqual([1, 0]);
});

it('compares nothing, since that prints it, if there may be a secret', async () => {
  const text = readFileSync(cassette, 'utf8');
  const token = `ghp_16C7e42F292c6912E7710c838347Ae178B4a`;
  writeFileSync(cassette, text.replace('name: a\n', `name: a\n          description: ${token}\n`));
  const { out, status } = await check('cassettes', '--base', 'HEAD');
  writeFileSync(cassette, text);
  expect(status).toBe(1);
  expect(out).toContain('✗ secrets   failed: 1 value to redact in 1 of 1 file');
  expect(out).toContain('- changes   skipped: the cassettes contain secrets');
  expect(out).not.toContain(token);
});

it('shows no credential that it was given', async () => {
  const server = await mockServer({ over: 'http', serverInfo: { name: 'words', version: '1.0.0' } });
  const options = ['--http', server.url, '--header', 'Authorization: Bearer planted-4711', '--markdown', 'http.md'];
  const { out, stderr, status } = await check('cassettes', ...options);
  await server.finish().catch(() => {});
  expect(status).toBe(1);
  expect(out + stderr + readFileSync(join(folder, 'http.md'), 'utf8')).not.toContain('planted-4711');
});

it.each([
  ['a revision that there is not', ['cassettes', '--base', 'nowhere'], '[USAGE_NO_REVISION]'],
  [
    'a revision of an empty variable',
    ['cassettes', '--base', 'origin/'],
    'it ends with a slash, as if a variable had no value',
  ],
  ['a server that does not start', ['cassettes', '--', './none'], '[COMMAND_NOT_FOUND]'],
  ['two servers', ['cassettes', '--http', 'http://127.0.0.1:9/mcp', ...words('1', 'a')], '[USAGE_ONE_SERVER]'],
  ['rules that there are not', ['cassettes', '--redact-rules', 'none.yaml'], '[USAGE_RULES_UNREADABLE]'],
])('exits with 2 for %s', async (_, args, code) => {
  const { out, status } = await check(...args);
  expect(out).toContain(code);
  expect(out).toContain('not checked: ');
  expect(status).toBe(2);
});

it('says once that there is no such folder, and that the base is empty', async () => {
  const none = await check('none');
  expect([none.out, none.stderr.split('there is no such file or folder. [CASSETTE_NOT_FOUND]').length]).toEqual([
    '',
    2,
  ]);
  expect(none.stderr).not.toContain('mcp-record record');
  expect((await check('none/**')).stderr).toMatch(/matches and is a cassette\. \[CASSETTE_NOT_FOUND\]/);
  const empty = await check('cassettes', '--base', '');
  expect(empty.stderr).toContain('Cannot read the revision: --base is empty');
  expect([none.status, empty.status]).toEqual([2, 2]);
});

it('fails if the last cassette of a folder is deleted, or the folder', async () => {
  const last = join(folder, 'last');
  mkdirSync(last);
  copyFileSync(cassette, join(last, 'one.yaml'));
  git('add', '-A');
  git('commit', '-qm', 'a folder with one cassette');
  for (const end of [() => rmSync(join(last, 'one.yaml')), () => rmSync(last, { recursive: true })]) {
    end();
    const { out, status } = await check('last', '--base', 'HEAD', ...words('9', 'a'));
    expect(out).toContain('✗ changes   failed: 0 cassettes compared, 1 deleted, 0 new');
    expect(out).toContain('✓ server    passed: no cassette');
    expect(status).toBe(1);
  }
});

it('refuses a command line that ends with --, and a folder without a cassette', async () => {
  const { stderr, status } = await check('cassettes', '--');
  expect([stderr, status]).toEqual([expect.stringContaining('no command follows --. [USAGE_ONE_SERVER]'), 2]);
  mkdirSync(join(folder, 'empty'));
  const none = await check('empty', '--', 'node', 'server.js');
  expect([none.stderr, none.status]).toEqual([expect.stringMatching(/cassettes empty.*\[CASSETTE_NOT_FOUND\]/s), 2]);
});

it('takes a name that neither the disk nor the revision has for a mistake', async () => {
  const { out, status } = await check('lats', '--base', 'HEAD', ...words('9', 'a'));
  expect(out).toContain('[CASSETTE_NOT_FOUND]');
  expect(status).toBe(2);
});

it('judges an ignore rule over all cassettes', async () => {
  const other = join(folder, 'cassettes', 'other.yaml');
  copyFileSync(cassette, other);
  const description = 'name: a\n          description: only here\n';
  writeFileSync(other, readFileSync(cassette, 'utf8').replace('name: a\n', description));
  const rules = ['--ignore-pattern', 'only \\w+', '--ignore-pattern', 'nowhere at all'];
  const { out, stderr } = await check('cassettes', '--base', 'HEAD', ...rules, ...words('9', 'a', 'b', 'c'));
  rmSync(other);
  expect(out + stderr).not.toContain("'only \\w+' matched nothing");
  expect((out + stderr).split("--ignore-pattern 'nowhere at all' matched nothing: is it misspelled?")).toHaveLength(2);
});
