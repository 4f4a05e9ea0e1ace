import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { failureRedactor, projectRedactor } from '../../../src/record/redact-file/project-redactor.ts';
import { temporaryFolder } from '../../support/cassette.ts';

it('rules of the project come before the own rules of a redactor, and values that it allows stay', () => {
  const file = join(temporaryFolder(), 'redaction.yaml');
  writeFileSync(file, 'redact:\n- { pattern: cust-\\d+, name: customer }\nallow:\n- cust-0\n');
  vi.stubEnv('MCP_RECORD_REDACT_RULES', file);
  onTestFinished(() => void vi.unstubAllEnvs());
  const redactor = projectRedactor({ env: {}, rules: [{ pattern: 'acme-\\w+', name: 'acme' }], allow: ['acme-x'] });
  expect(redactor.text('cust-7 of acme-y, cust-0 of acme-x')).toBe(
    '[redacted:customer:1] of [redacted:acme:1], cust-0 of acme-x',
  );
});

it('rules that cannot be read hide no failure: what it prints has no secrets of a known form', () => {
  const token = `${'ghp_'}1a2B3c4D5e6F7g8H9i0JkLmNoPqRsTuVwXyZ`;
  const folder = temporaryFolder();
  const file = join(folder, 'redaction.yaml');
  writeFileSync(file, 'redact:\n- { pattern: cust-\\d+, name: customer }\n');
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('MCP_RECORD_REDACT_RULES', file);
  expect(failureRedactor().text(`cust-7 has ${token}`)).toBe('[redacted:customer:1] has [redacted:github-token:1]');
  vi.stubEnv('MCP_RECORD_REDACT_RULES', join(folder, 'none.yaml'));
  expect(failureRedactor().text(`cust-7 has ${token}`)).toBe('cust-7 has [redacted:github-token:1]');
});
