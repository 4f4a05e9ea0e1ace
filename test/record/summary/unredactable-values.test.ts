import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unredactableValues, unredactableWarning } from '../../../src/record/summary/unredactable-values.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const redactor = createRedactor({ env: {}, rules: [{ pattern: /E-\d+/, name: 'employee' }] });

function cassetteOf(...events: string[]): string {
  const file = join(folder, `${events.length}.yaml`);
  writeFileSync(file, `format: mcp-record/1\ntransport: stdio\nevents:\n${events.join('\n')}\n`);
  return file;
}

it('are those that a rule matches in what a session cannot be played without', () => {
  const file = cassetteOf(
    '- client: { jsonrpc: "2.0", id: E-12, method: tools/call, params: { name: E-13, cursor: E-14 } }',
    '- server: { jsonrpc: "2.0", id: E-12, result: { text: E-15 } }',
    '- server: "a line with E-16"',
    '- close: client',
  );
  const values = unredactableValues(file, redactor);
  expect(values).toEqual([
    { line: 4, kind: 'employee', pointer: '/id' },
    { line: 5, kind: 'employee', pointer: '/id' },
  ]);
  const warning = unredactableWarning(file, values)!;
  expect(warning.message).toContain('[SECRETS_NOT_REDACTED]');
  expect(warning.message).toContain('the rule "employee" matches /id (and 1 more such value)');
  expect(warning.problem.place).toEqual({ file, line: 4 });
});

it('are none where all can be redacted, and there is no warning then', () => {
  const file = cassetteOf('- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: E-13 } }');
  expect(unredactableValues(file, redactor)).toEqual([]);
  expect(unredactableWarning(file, [])).toBeUndefined();
});
