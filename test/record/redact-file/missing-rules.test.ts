import { describe, expect, it } from 'vitest';
import { missingRules } from '../../../src/record/redact-file/missing-rules.ts';
import { missingRulesError } from '../../../src/record/redact-file/missing-rules-error.ts';

const text = 'text: "[redacted:acme:1] [redacted:password:1] [redacted:github-token:1] [redacted:ACME_PAT:2]"';
const OLD = { text, header: {} };
const listing = (...redactRules: string[]) => ({ text, header: { redactRules } });

it('names the rules of the user that wrote placeholders, and were not given', () => {
  expect(missingRules(OLD, {}, {}).names).toEqual(['acme', 'ACME_PAT']);
  expect(missingRules(OLD, { rules: [{ key: 'acme' }] }, {}).names).toEqual(['ACME_PAT']);
  expect(missingRules(OLD, { allow: ['[redacted:acme:1]'] }, {}).names).toEqual(['ACME_PAT']);
  expect(missingRules(OLD, { allow: [/\[redacted:(acme|ACME_PAT):\d+\]/] }, {}).names).toEqual([]);
});

it('names a rule whose only placeholder is encoded', () => {
  const encoded = { text: `text: ${Buffer.from('[redacted:acme-id:1]').toString('base64')}`, header: {} };
  expect(missingRules(encoded, {}, {}).names).toEqual(['acme-id']);
  expect(missingRules(encoded, { allow: ['[redacted:acme-id:1]'] }, {}).names).toEqual([]);
});

it('takes the value of a variable with the name, unless it is short, or the name is none of a variable', () => {
  expect(missingRules(OLD, {}, { acme: 'acme-customer-7', ACME_PAT: 'DE89370400440532' })).toEqual({
    names: ['acme'],
    listed: [],
    ofVariables: [{ name: 'ACME_PAT', pattern: 'DE89370400440532' }],
  });
  expect(missingRules(OLD, {}, { ACME_PAT: 'y' }).names).toEqual(['acme', 'ACME_PAT']);
});

it('demands the rules that the header lists, whatever their names are and whichever variables are set', () => {
  const env = { GITHUB_TOKEN: 'ghp_1234567890', PASSWORD: 'correct-horse-7', ACME_PAT: 'DE89370400440532' };
  expect(missingRules(listing('password', 'github-token'), {}, env).names).toEqual([
    'password',
    'github-token',
    'acme',
  ]);
  expect(missingRules(listing('password', 'acme', 'unused'), { rules: [{ key: 'ACME' }] }, env).names).toEqual([
    'password',
  ]);
  expect(missingRules(listing('ACME_PAT'), { rules: [{ key: 'acme' }] }, env)).toEqual({
    names: ['ACME_PAT'],
    listed: ['ACME_PAT'],
    ofVariables: [],
  });
});

describe('a placeholder with the name of a variable', () => {
  const named = 'text: "sent [redacted:ACME_TOKEN:1]"';
  const missing = (written: string, header = {}, env = {}) => missingRules({ text: written, header }, {}, env).names;

  it('may be that of a rule, in a cassette that lists none', () => {
    expect(missing(named)).toEqual(['ACME_TOKEN']);
    expect(missing(named, {}, { ACME_TOKEN: 'acme_live_7f3a' })).toEqual([]);
    expect(missing('[redacted:CUSTOMER:1]', {}, { CUSTOMER: 'CUST-2024-1' })).toEqual(['CUSTOMER']);
  });

  it('is explained by the name beside it', () => {
    for (const beside of [
      'ACME_TOKEN: "[redacted:ACME_TOKEN:1]"',
      'ACME_TOKEN=[redacted:ACME_TOKEN:1]',
      '{\\"ACME_TOKEN\\": \\"[redacted:ACME_TOKEN:1]',
    ])
      expect(missing(`${named}, ${beside}`)).toEqual([]);
    expect(missing('MY_ACME_TOKEN: [redacted:ACME_TOKEN:1]')).toEqual(['ACME_TOKEN']);
  });

  it('is that of a variable, in a cassette that lists its rules', () => {
    expect(missing(named, { redactRules: [] })).toEqual([]);
    expect(missing(named, { redactRules: ['ACME_TOKEN'] }, { ACME_TOKEN: 'acme_live_7f3a' })).toEqual(['ACME_TOKEN']);
  });
});

it('says how to give them, and how to do without', () => {
  const { problem } = missingRulesError(['acme'], ['a.yaml']);
  expect(problem).toMatchObject({ code: 'USAGE_RULES_MISSING', what: 'Cannot check a.yaml for secrets' });
  expect(problem.next).toMatch(/--redact-rules FILE.*MCP_RECORD_REDACT_RULES.*--redact-allow/);
  expect(missingRulesError(['acme', 'iban'], ['a', 'b']).problem).toMatchObject({
    what: 'Cannot check 2 files for secrets',
    why: expect.stringMatching(/^rules of the name acme, iban /),
    next: expect.stringMatching(/--redact-allow '\S*acme\S*' --redact-allow '\S*iban/),
  });
});
