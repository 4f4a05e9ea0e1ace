import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandLine } from '../../../src/cli/sweep/again-command.ts';
import { runnableCommand } from '../../../src/cli/verify/runnable-command.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { rulesForSecrets } from '../../../src/redact/rules/rules-for-secrets.ts';
import { itOnPosix } from '../../support/on-posix.ts';

const SECRETS = { USER_NAME: 'orange-juice-7', short: 'dev', 'api.key': 'k9Lm2xQzk9Lm2xQz' };
const { text } = createRedactor({ env: {}, rules: rulesForSecrets(SECRETS) });
const shown = (...words: string[]) => runnableCommand(commandLine(words).replace(/^(?:npx )?mcp-record /, ''), text);

it('keeps the words of a command, also if they have a short value', () => {
  expect(shown('verify', 'a.yaml', '--', 'node', 'dev.js', '--short', 'dev-server')).toBe(
    'verify a.yaml -- node dev.js --short dev-server',
  );
});

it('names the variable of a secret in a word', () => {
  expect(shown('node', 'orange-juice-7.js')).toBe('node "$USER_NAME".js');
  expect(shown('node', "it's (orange-juice-7)")).toBe(`node 'it'\\''s ('"$USER_NAME"')'`);
  expect(shown('--key', 'k9Lm2xQzk9Lm2xQz')).toBe('--key "$API_KEY"');
  const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;
  expect(shown('--token', token)).toBe('--token "$GITHUB_TOKEN"');
});

it('keeps a placeholder that the command itself has', () => {
  expect(shown('--ignore-pattern', '[redacted:a:1]')).toBe("--ignore-pattern '[redacted:a:1]'");
});

itOnPosix('shell', 'is what a shell runs with the variables', () => {
  const words = ['a b orange-juice-7', "'orange-juice-7'", 'orange-juice-7', 'x"$HOME"', '\\orange-juice-7\\'];
  const line = shown('printf', '%s\\n', ...words);
  expect(line).not.toContain('orange-juice');
  const { stdout } = spawnSync('sh', ['-c', line], { env: { USER_NAME: SECRETS.USER_NAME }, encoding: 'utf8' });
  expect(stdout.trimEnd().split('\n')).toEqual(words);
});
