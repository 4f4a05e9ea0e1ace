import { expect, it } from 'vitest';
import { missingRules, missingRulesError } from '../../../src/record/redact-file/missing-rules.ts';

const TEXT = 'text: "[redacted:acme:1] [redacted:password:1] [redacted:github-token:1] [redacted:x.iban:2]"';

it('names the rules of the user that wrote placeholders, and were not given', () => {
  expect(missingRules(TEXT, {}, {}).names).toEqual(['acme', 'x.iban']);
  expect(missingRules(TEXT, { rules: [{ key: 'acme' }] }, {}).names).toEqual(['x.iban']);
  expect(missingRules(TEXT, { allow: ['[redacted:acme:1]'] }, {}).names).toEqual(['x.iban']);
  expect(missingRules(TEXT, { allow: [/\[redacted:(acme|x\.iban):\d+\]/] }, {}).names).toEqual([]);
});

it('takes the value of a variable with the name, unless it is short', () => {
  expect(missingRules(TEXT, {}, { acme: 'y', X_IBAN: 'DE89370400440532' })).toEqual({
    names: ['acme'],
    ofVariables: [{ name: 'x.iban', pattern: 'DE89370400440532' }],
  });
});

it('says how to give them, and how to do without', () => {
  const { problem } = missingRulesError(['acme'], ['a.yaml']);
  expect(problem).toMatchObject({ code: 'USAGE_RULES_MISSING', what: 'Cannot check a.yaml for secrets' });
  expect(problem.next).toMatch(/--redact-rules FILE.*MCP_RECORD_REDACT_RULES.*--redact-allow/);
  expect(missingRulesError(['acme', 'iban'], ['a', 'b']).problem).toMatchObject({
    what: 'Cannot check 2 files for secrets',
    why: expect.stringMatching(/^rules of the name acme, iban /),
  });
});
