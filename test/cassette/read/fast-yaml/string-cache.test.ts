import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { cachedString } from '../../../../src/cassette/read/fast-yaml/string-cache.ts';

it('names are what the bytes say, however many there are', () => {
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 12 });
  fc.assert(
    fc.property(fc.array(ascii, { maxLength: 100 }), (texts) => {
      const bytes = Buffer.from(texts.join(''));
      let at = 0;
      for (const text of texts) {
        expect(cachedString(bytes, at, at + text.length)).toBe(text);
        at += text.length;
      }
    }),
  );
});

it('a name of the same digest is another', () => {
  // 31 × "A" + "a" is 31 × "B" + "B".
  for (const text of ['Aa', 'BB', 'Aa']) expect(cachedString(Buffer.from(text), 0, 2)).toBe(text);
});

it('a name of the same digest that begins like a longer one is another', () => {
  for (const text of ['colons', 'colon']) expect(cachedString(Buffer.from(text), 0, text.length)).toBe(text);
});

it('a name that came before is not made again, wherever it stands, nor for others as long that begin or end alike', () => {
  const bytes = Buffer.from('nave next term nave.next,term');
  const made = vi.spyOn(bytes, 'toString');
  for (let at = 0; at < bytes.length; at += 5) cachedString(bytes, at, at + 4);
  expect(made.mock.results.map(({ value }) => value)).toEqual(['nave', 'next', 'term']);
});

it('a long name is made each time, and not kept', () => {
  const long = 'a'.repeat(65);
  const bytes = Buffer.from(long + long);
  const made = vi.spyOn(bytes, 'toString');
  for (const start of [0, 65]) expect(cachedString(bytes, start, start + 65)).toBe(long);
  expect(made).toHaveBeenCalledTimes(2);
});
