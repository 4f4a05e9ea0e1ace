import fc from 'fast-check';
import { expect, it } from 'vitest';
import { McpRecordError } from '../../src/kernel/errors.ts';
import { compileRedactionRules } from '../../src/redact/rules/compile-redaction-rules.ts';
import { parseRedactionRules } from '../../src/redact/rules/parse-redaction-rules.ts';
import { fuzzed } from '../support/fuzz.ts';

const value = fc.oneof(
  fc.constantFrom('', 'iban', '/params/*/a', 'a', '(', '(a+)+b', 'C-(\\d+)', '/^sk_/', '/(x*)*/', '[', '\\'),
  fc.string({ maxLength: 8 }),
  fc.jsonValue({ maxDepth: 1 }),
);
const rule = fc.oneof(
  fc.dictionary(fc.constantFrom('key', 'pointer', 'pattern', 'name', 'kye'), value, { maxKeys: 3 }),
  value,
);
const written = fc.oneof(
  fc.record({ redact: fc.array(rule, { maxLength: 2 }), allow: fc.array(value, { maxLength: 2 }) }, {}),
  fc.dictionary(fc.constantFrom('redact', 'allow', 'redcat'), value),
  value,
);

it('whatever is written as rules can be used as they are, or is refused with a code', () => {
  let read = 0;
  fc.assert(
    fc.property(written, (text) => {
      try {
        const { rules } = parseRedactionRules(text, { name: 'rules.yaml' });
        compileRedactionRules(rules);
        read++;
      } catch (error) {
        if (!(error instanceof McpRecordError)) throw error;
        expect(error.code).toMatch(/^USAGE_BAD_(RULE|POINTER)$/);
      }
    }),
    fuzzed(2_000),
  );
  expect(read).toBeGreaterThan(100);
});
