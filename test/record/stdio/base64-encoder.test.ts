import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Base64Stream } from '../../../src/record/stdio/base64-encoder.ts';

it('is the base64 of the whole, however it was cut, and can begin anew', () => {
  const pieces = new Base64Stream();
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 10 })), (parts) => {
      const text = parts.map((part) => pieces.add(part)).join('') + pieces.end();
      expect(text).toBe(Buffer.concat(parts).toString('base64'));
    }),
  );
});
