import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkRepository } from './check-repository.ts';

const { folder, words, check } = checkRepository();

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
    'diff-cassettes.sarif',
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
