import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as node from '../../../src/kernel/platform/bytes.ts';
import * as browser from '../../../src/kernel/platform/bytes-in-browser.ts';
import { re2 } from '../../../src/kernel/platform/load-re2.ts';
import { re2 as re2InBrowser } from '../../../src/kernel/platform/load-re2-in-browser.ts';
import { sha256 } from '../../../src/kernel/platform/sha256.ts';
import { sha256 as sha256InBrowser } from '../../../src/kernel/platform/sha256-in-browser.ts';
import { anyCharacter } from '../../support/fuzz.ts';

/** Texts with characters of each length in UTF-8, lone surrogates and byte order marks. */
const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc
    .array(fc.constantFrom('a', '\n', '- ', 'é', '€', '😀', '\ud800', '\udc00', '\ufeff', '\u0080'))
    .map((parts) => parts.join('')),
);
const bytes = fc.uint8Array({ maxLength: 60 });
const plain = (value: Uint8Array) => [...value];
const holds = <Value>(values: fc.Arbitrary<Value>, check: (value: Value) => void) =>
  fc.assert(fc.property(values, check), { numRuns: 500 });

describe('the functions for a browser do what those for Node do:', () => {
  it('both have the same functions', () => {
    expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
  });

  it('from texts to bytes', () => {
    holds(texts, (text) => {
      expect(plain(browser.utf8BytesOf(text))).toEqual(plain(node.utf8BytesOf(text)));
      expect(browser.utf8Length(text)).toBe(node.utf8Length(text));
      const [one, other] = [node.unsetBytes(300).fill(0), browser.unsetBytes(300)];
      expect(browser.writeUtf8(other, text, 7)).toBe(node.writeUtf8(one, text, 7));
      expect(plain(other)).toEqual(plain(one));
    });
  });

  it('from bytes to texts', () => {
    const ranges = fc.tuple(fc.oneof(bytes, texts.map(node.utf8BytesOf)), fc.nat(70), fc.nat(70));
    holds(ranges, ([value, from, to]) => {
      const [one, other] = [node.bytesIn(value), browser.bytesIn(new Uint8Array(value))];
      const [start, end] = [Math.min(from, to), Math.max(from, to)];
      for (const [ofBrowser, ofNode] of [
        [browser.utf8Text, node.utf8Text],
        [browser.latin1Text, node.latin1Text],
      ] as const) {
        expect(ofBrowser(other)).toBe(ofNode(one));
        expect(ofBrowser(other, start, end)).toBe(ofNode(one, start, end));
      }
      expect(browser.isAscii(other)).toBe(node.isAscii(one));
      expect(browser.isUtf8(other)).toBe(node.isUtf8(one));
      expect(browser.base64Of(other)).toBe(node.base64Of(one));
      expect(plain(browser.bytesOfBase64(node.base64Of(one)))).toEqual(plain(one));
      expect(plain(browser.joinedBytes([other, other]))).toEqual(plain(node.joinedBytes([one, one])));
    });
  });

  it('where bytes stand', () => {
    const few = fc.uint8Array({ max: 2, maxLength: 20 });
    holds(fc.tuple(few, fc.uint8Array({ max: 2, minLength: 1, maxLength: 3 }), fc.nat(22)), ([value, part, start]) => {
      const [one, other] = [node.bytesIn(value), browser.bytesIn(new Uint8Array(value))];
      const [sought, soughtToo] = [node.bytesIn(part), browser.bytesIn(new Uint8Array(part))];
      expect(browser.indexOfBytes(other, soughtToo, start)).toBe(node.indexOfBytes(one, sought, start));
      expect(browser.lastIndexOfBytes(other, soughtToo)).toBe(node.lastIndexOfBytes(one, sought));
    });
  });

  it('base64 that is none', () => {
    holds(fc.string({ unit: fc.constantFrom(...'ABcd01+/-_= \n*é') }), (text) => {
      expect(plain(browser.bytesOfBase64(text))).toEqual(plain(node.bytesOfBase64(text)));
    });
  });

  it('long texts', () => {
    const long = new Uint8Array(20_000).map((_, index) => index % 256);
    expect(browser.latin1Text(long)).toBe(node.latin1Text(node.bytesIn(long)));
  });

  it('digests and expressions', () => {
    holds(bytes, (value) => {
      expect(sha256InBrowser(value)).toBe(sha256(value));
    });
    const found = [re2(), re2InBrowser()].map(({ RE2JS }) => RE2JS.compile('a+b').matcher('caab').find());
    expect(found).toEqual([true, true]);
  });
});
