import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { requireRules } from '../../../src/record/redact-file/require-rules.ts';
import { rulesForSecrets } from '../../../src/redact/rules/rules-for-secrets.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const cassetteWith = (header: string, text: string) => {
  const file = join(folder, 'a.yaml');
  writeFileSync(
    file,
    `format: mcp-record/1\ntransport: stdio\n${header}events:\n- server: { jsonrpc: '2.0', id: 1, result: { text: "${text}" } }\n`,
  );
  return loadCassette(file);
};
const listed = () => cassetteWith('redactRules: [customer]\n', '[redacted:customer:1]');

it('refuses to write to a cassette without the rules that its header names', () => {
  expect(() => requireRules(listed(), {}, {})).toThrow(
    /Cannot add what the live server says to .*a\.yaml.*a rule of the name customer.*written in clear without it/s,
  );
  expect(() => requireRules(listed(), { rules: [{ pattern: 'X', name: 'iban' }] }, {})).toThrow('USAGE_RULES_MISSING');
});

it('is content with the rules, with allowed placeholders, and without placeholders', () => {
  requireRules(listed(), { rules: [{ pattern: 'CUST-\\d+', name: 'customer' }] }, {});
  requireRules(listed(), { allow: [/\[redacted:customer:\d+\]/] }, {});
  requireRules(cassetteWith('redactRules: [customer]\n', 'nothing'), {}, {});
});

it('takes a given secret for the placeholder that no listed rule wrote, and for no other', () => {
  const secrets = { rules: rulesForSecrets({ ACME_ID: 'acme-4711', CUSTOMER_2: 'CUST-2', CUSTOMER: 'CUST-1' }) };
  requireRules(cassetteWith('', '[redacted:acme-id:1] [redacted:customer:2]'), secrets, {});
  expect(() => requireRules(cassetteWith('', '[redacted:iban:1]'), secrets, {})).toThrow('of the name iban');
  expect(() => requireRules(listed(), secrets, { CUSTOMER: 'CUST-1234' })).toThrow('USAGE_RULES_MISSING');
});

it('takes a short secret for a placeholder beside its name, and not for one elsewhere', () => {
  const secrets = { rules: rulesForSecrets({ login: 'bob' }) };
  requireRules(cassetteWith('', 'login=[redacted:login:1]'), secrets, {});
  expect(() =>
    requireRules(cassetteWith('', 'login=[redacted:login:1], Hello [redacted:login:1]'), secrets, {}),
  ).toThrow('of the name login');
});
