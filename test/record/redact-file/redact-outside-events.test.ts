import { describe, expect, it } from 'vitest';
import { redactCassette } from '../../../src/record/redact-file/redact-cassette.ts';
import { createRedactor, type RedactionRules } from '../../../src/redact/redactor.ts';

const rules = [{ pattern: 'CUST-\\d{5}-[A-Z]{3}', name: 'customer' }];
const CUSTOMER = 'CUST-12345-XYZ';
const checked = (text: string, given: RedactionRules = { rules }) =>
  redactCassette(text, 'a.yaml', createRedactor({ env: {}, ...given }));
const tape = (change: (text: string) => string = (text) => text) =>
  change(`format: mcp-record/1
recorder: mcp-record 0.1.0
recorded: '2026-01-01T00:00:00Z'
transport: stdio
redactRules: ["customer"]
events:
- client: { jsonrpc: "2.0", id: 1, method: ask, params: { a: 1 } }
- server: { jsonrpc: "2.0", id: 1, result: { text: "is [redacted:customer:1]" } }
  match: { ignore: ["/result/a", "/is \\\\d+/"] }
- end: complete
`);

describe('a value of a rule that no edit reaches is an error', () => {
  it.each([
    ['in a pattern of match', 9, (text: string) => text.replace('is \\\\d+', CUSTOMER)],
    ['in the recorder', 1, (text: string) => text.replace('mcp-record 0.1.0', CUSTOMER)],
    ['in the name of an anchor', 7, (text: string) => text.replace('{ a: 1 }', `&${CUSTOMER} { a: 1 }`)],
  ])('%s', (_, line, change) => {
    expect(tape(change)).not.toBe(tape());
    expect(() => checked(tape(change))).toThrow(
      new RegExp(`a value that a rule of yours matches \\(customer\\) would be left.*\\s+at a\\.yaml:${line}\\b`),
    );
    expect(() => checked(tape(change), { rules, allow: [CUSTOMER] })).not.toThrow();
    expect(() => checked(tape(change), {})).not.toThrow();
  });

  it('and what recorders write is none, however wide the rule is', () => {
    const wide = [
      { pattern: '\\d+', name: 'number' },
      { pattern: 'customer', name: 'word' },
    ];
    const own = tape((text) => text.replace(/ {2}match: .*\n/, ''));
    expect(() => checked(own, { rules: [wide[1]!] })).not.toThrow();
    expect(() => checked(own.replace('recorder: mcp-record 0.1.0\n', ''), { rules: wide })).not.toThrow();
  });
});
