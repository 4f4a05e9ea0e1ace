import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Utf8Normalizer } from '../../../src/cassette/read/utf8-normalizer.ts';
import { anyCharacter } from '../../support/fuzz.ts';

function decode(...pieces: Uint8Array[]) {
  const decoder = new Utf8Normalizer();
  const decoded = [...pieces.map((piece) => decoder.push(piece)), decoder.end()];
  return {
    text: decoded.map(({ bytes }) => bytes.toString()).join(''),
    invalid: decoded.findIndex(({ isInvalid }) => isInvalid),
  };
}

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('bytes as text', () => {
  it('is the same wherever the bytes were cut', () => {
    const whole = Buffer.from('\ufeffa\r\nb\rc\né日本語😀\r\n');
    for (let cut = 0; cut <= whole.length; cut++) {
      expect(decode(whole.subarray(0, cut), whole.subarray(cut))).toEqual({
        text: 'a\nb\nc\né日本語😀\n',
        invalid: -1,
      });
    }
    expect(decode(...[...whole].map((byte) => bytes(byte)))).toEqual({
      text: 'a\nb\nc\né日本語😀\n',
      invalid: -1,
    });
  });

  it('ends where the bytes are none', () => {
    expect(decode(Buffer.from('né'), bytes(0xc3, 0xa9, 0x41, 0xff, 0x42))).toEqual({
      text: 'néé' + 'A',
      invalid: 1,
    });
    expect(decode(bytes(0x80))).toEqual({ text: '', invalid: 0 });
    expect(decode(bytes(0x41, 0xe3, 0x81, 0x41))).toEqual({ text: 'A', invalid: 0 });
  });

  it('says that the last character is not whole', () => {
    expect(decode(bytes(0x41, 0xe3, 0x81))).toEqual({ text: 'A', invalid: 1 });
  });

  it('finds the first byte that is none in any bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed() && !/[\r\ufeff]/.test(text)),
        (text) => {
          const { text: read } = decode(Buffer.concat([Buffer.from(text), bytes(0xff, 0x41)]));
          expect(read).toBe(text);
        },
      ),
    );
  });
});
