import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { listedRulesIn, listRedactRules } from '../../../src/record/redact-file/write-applied-rule-names.ts';

const EVENTS = 'events:\n- client: { method: a }\n';
const listed = (text: string, names: string[], before = '') => {
  const edited = listRedactRules({ text, file: 'a.yaml' }, before, names);
  return { edited, rules: parseCassette(edited, 'a.yaml').header.redactRules };
};

describe('the rules in a header', () => {
  it.each([
    ['a block', `# a title\nformat: mcp-record/1 # the format\ntransport: stdio\n${EVENTS}`],
    ['quotes', `"format": "mcp-record/1"\n${EVENTS}`],
    ['columns', `  format: mcp-record/1\n  events:\n  - client: { method: a }\n`],
    ['another order', `transport: stdio\nformat: mcp-record/1\n${EVENTS}`],
    ['JSON', '{ "format": "mcp-record/1", "events": [{ "client": { "method": "a" } }] }'],
    ['breaks of Windows', `format: mcp-record/1\r\n${EVENTS.replaceAll('\n', '\r\n')}`],
  ])('are added to %s, and nothing else changes', (_, text) => {
    const { edited, rules } = listed(text, ['customer', '/^x-/i']);
    expect(rules).toEqual(['customer', '/^x-/i']);
    expect(edited.replace(/(?:, |\r?\n *)"?redactRules"?: \[[^\]]*\/i"\]/, '')).toBe(text);
    expect(listed(edited, ['customer']).edited).toBe(edited);
    expect(listed(edited, ['iban']).rules).toEqual(['customer', '/^x-/i', 'iban']);
  });

  it('have what an older recorder may have redacted by rules', () => {
    const before = 'text: "[redacted:ACME_TOKEN:1] [redacted:customer:1] [redacted:password:1]"';
    expect(listedRulesIn(before, undefined)).toEqual(['ACME_TOKEN', 'customer']);
    expect(listedRulesIn(before, [])).toEqual([]);
    expect(listed(`format: mcp-record/1\n${EVENTS}`, ['iban'], before).rules).toEqual([
      'ACME_TOKEN',
      'customer',
      'iban',
    ]);
  });
});
