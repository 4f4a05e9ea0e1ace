import { describe, expect, it } from 'vitest';
import { parseRedactionRules } from '../../../src/redact/rules/parse-redaction-rules.ts';

const read = (value: unknown) => parseRedactionRules(value, { name: 'rules.yaml' });

describe('written rules', () => {
  it('are those of a redactor', () => {
    const rules = [{ key: 'iban' }, { pointer: '/params/*/a' }, { pattern: 'C-(\\d+)', name: 'customer' }];
    expect(read({ redact: rules, allow: ['x', '/^sk_/'] })).toEqual({ rules, allow: ['x', /^sk_/] });
    expect(read({})).toEqual({ rules: [], allow: [] });
  });

  it.each([
    [[], 'not a mapping'],
    [{ redcat: [] }, 'Did you mean "redact"'],
    [{ redact: {} }, '"redact" is not a list'],
    [{ redact: ['x'] }, 'a rule is a mapping'],
    [{ redact: [{ kye: 'x' }] }, 'Did you mean "key"'],
    [{ redact: [{ name: 'x' }] }, 'it has no kind'],
    [{ redact: [{ key: 'x', pattern: 'y' }] }, 'it has key and pattern'],
    [{ redact: [{ key: 5 }] }, '"key" is not text'],
    [{ redact: [{ pattern: '(' }] }, 'not a regular expression'],
    [{ redact: [{ pattern: '(?<=a)b' }] }, 'not a regular expression of RE2'],
    [{ allow: ['/(?P<n>a)/'] }, 'it is not a regular expression'],
    [{ allow: [''] }, 'a text'],
  ])('are refused with the next step: %j', (value, why) => {
    expect(() => read(value)).toThrow(why);
    expect(() => read(value)).toThrow(/\[USAGE_BAD_RULE\]/);
  });

  it('that name no pointer are refused', () => {
    expect(() => read({ redact: [{ pointer: 'a' }] })).toThrow(/\[USAGE_BAD_POINTER\]/);
  });
});
