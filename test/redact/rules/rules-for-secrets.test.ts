import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { rulesForSecrets, secretsNamed } from '../../../src/redact/rules/rules-for-secrets.ts';

const redacted = (text: string, secrets: Record<string, string | undefined>) =>
  createRedactor({ env: {}, rules: rulesForSecrets(secrets) }).text(text);

it('a given secret is redacted whatever it looks like, in a word too', () => {
  expect(redacted('it was xorange-juice.', { DRINK: 'orange-juice' })).toBe('it was x[redacted:DRINK:1].');
  expect(redacted('a+b*c$d', { SUM: 'a+b*c$d' })).toBe('[redacted:SUM:1]');
});

it('a short one is redacted as a whole word alone', () => {
  expect(redacted('on one, on.', { SWITCH: 'on' })).toBe('[redacted:SWITCH:1] one, [redacted:SWITCH:1].');
  expect(redacted('a-!b', { SIGN: '-!' })).toBe('a[redacted:SIGN:1]b');
});

it('a variable without a value redacts nothing', () => {
  expect(redacted('all stays', { UNSET: undefined, EMPTY: '' })).toBe('all stays');
});

it('variables are given by name, and none that the list does not have', () => {
  const env = { GITHUB_TOKEN: 'a', OTHER: 'b', 'npm-token': 'c' };
  expect(secretsNamed(' GITHUB_TOKEN, ,npm-token', env)).toEqual({ GITHUB_TOKEN: 'a', 'npm-token': 'c' });
  expect(secretsNamed('', env)).toEqual({});
});

it('the name of a placeholder stands for the variable that a shell can export', () => {
  expect(secretsNamed('github-token,unset', { GITHUB_TOKEN: 'a' })).toEqual({ 'github-token': 'a', unset: undefined });
});
