import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerText, headerValue } from '../../../../src/transports/http/mcp-headers/header-encoding.ts';

describe('a header (§7)', () => {
  it('gives back whatever it was made to carry, in characters that every header may have', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const text = headerText(value);
        expect(text).toMatch(/^[ -~]*$/);
        expect(text).toBe(text.trim());
        expect(headerValue(text)).toBe(value);
      }),
    );
  });

  it.each(['=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?=', '=?base64?SGVsbG8=', 'SGVsbG8='])(
    'carries %s as it is, which is not base64 between marks (2026-07-28, "Value Encoding")',
    (text) => {
      expect(headerValue(text)).toBe(text);
    },
  );
});
