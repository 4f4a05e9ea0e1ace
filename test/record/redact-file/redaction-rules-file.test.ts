import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadRedactionRules, projectRules } from '../../../src/record/redact-file/redaction-rules-file.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';

const newFile = freeNames(temporaryFolder());

function rulesFile(text: string): string {
  const file = newFile();
  writeFileSync(file, text);
  return file;
}

const RULES = 'redact:\n- { pattern: "cust-\\\\d+", name: customer }\nallow:\n- cust-0\n';
const PARSED = { rules: [{ pattern: 'cust-\\d+', name: 'customer' }], allow: ['cust-0'] };

describe('redaction rules of a file', () => {
  it('are read', () => {
    expect(loadRedactionRules(rulesFile(RULES))).toEqual(PARSED);
  });

  it('of the variable are those of the project', () => {
    expect(projectRules({ MCP_RECORD_REDACT_RULES: rulesFile(RULES) })).toEqual(PARSED);
    for (const env of [{}, { MCP_RECORD_REDACT_RULES: '' }])
      expect(projectRules(env)).toEqual({ rules: [], allow: [] });
  });

  it('that the variable names, and that cannot be read, are an error that names both', () => {
    const file = newFile();
    expect(() => projectRules({ MCP_RECORD_REDACT_RULES: file })).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({
          code: 'USAGE_RULES_UNREADABLE',
          what: `Cannot read the rules of ${file}, which MCP_RECORD_REDACT_RULES names`,
        }),
      }),
    );
  });
});
