import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { rulesForSecrets, secretsNamed } from '../../../src/redact/rules/rules-for-secrets.ts';

const redacted = (text: string, secrets: Record<string, string | undefined>) =>
  createRedactor({ env: {}, rules: rulesForSecrets(secrets) }).text(text);

it('a given secret is redacted in a word too, if it is no word itself', () => {
  expect(redacted('it was xorange-juice.', { DRINK: 'orange-juice' })).toBe('it was x[redacted:DRINK:1].');
  expect(redacted('a+b*c$d-e', { SUM: 'a+b*c$d-' })).toBe('[redacted:SUM:1]e');
  expect(redacted('orangejuices, orangejuice_orangejuice', { DRINK: 'orangejuice' })).toBe(
    'orangejuices, [redacted:DRINK:1]_[redacted:DRINK:1]',
  );
});

describe('a short value or a common word', () => {
  const message = (value: unknown) => new JsonText(JSON.stringify(value));
  const inJson = (value: unknown, secrets: Record<string, string>) =>
    createRedactor({ env: {}, rules: rulesForSecrets(secrets) }).json(message(value)).value;

  it.each(['at', '1', '2026', 'dev', 'get', 'postgres', 'a-!'])('such as %s stays wherever it has no name', (value) => {
    const text = `in ${value}, ${value}-crm ${value}.0.0 (${value}) switch = ${value}`;
    expect(redacted(text, { user: value })).toBe(text);
    const said = { serverInfo: { name: value, version: `${value}.0.0` }, users: value, of: [{ label: value }] };
    expect(inJson(said, { user: value })).toEqual(said);
  });

  it('is redacted beside its name', () => {
    const place = '[redacted:user:1]';
    expect(inJson({ user: 'at', of: [{ User: 'at', list: 'at' }] }, { user: 'at' })).toEqual({
      user: place,
      of: [{ User: place, list: 'at' }],
    });
    expect(inJson({ user: ['at', 'it'] }, { user: 'at' })).toEqual({ user: [place, 'it'] });
    expect(inJson({ text: '{"user":"at","by":"at"}' }, { user: 'at' })).toEqual({
      text: `{"user":"${place}","by":"at"}`,
    });
    expect(redacted('user=at; user: at, user: att, "user": "at" and at', { user: 'at' })).toBe(
      `user=${place}; user: ${place}, user: att, "user": "${place}" and at`,
    );
  });

  it('is redacted beside its name as a variable has it, with a number or without', () => {
    expect(inJson({ 'tenant-key': 'ab', tenantKey: 'cd' }, { TENANT_KEY: 'ab', TENANT_KEY_2: 'cd' })).toEqual({
      'tenant-key': '[redacted:TENANT_KEY:1]',
      tenantKey: '[redacted:TENANT_KEY_2:1]',
    });
    expect(redacted('tenant.key = a+', { 'tenant-key': 'a+' })).toBe('tenant.key = [redacted:tenant-key:1]');
  });
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
