import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { StringCache } from '../../../../src/cassette/read/fast-yaml/string-cache.ts';

it('names are what the bytes say, however many there are', () => {
  const names = new StringCache();
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 12 });
  fc.assert(
    fc.property(fc.array(ascii, { maxLength: 100 }), (texts) => {
      const bytes = Buffer.from(texts.join(''));
      let at = 0;
      for (const text of texts) {
        expect(names.at(bytes, at, at + text.length)).toBe(text);
        at += text.length;
      }
    }),
  );
});

it('a name of the same digest is another', () => {
  const names = new StringCache();
  // 31 × "A" + "a" is 31 × "B" + "B".
  for (const text of ['Aa', 'BB', 'Aa']) expect(names.at(Buffer.from(text), 0, 2)).toBe(text);
});

it('a name of the same digest that begins like a longer one is another', () => {
  const names = new StringCache();
  for (const text of ['colons', 'colon']) expect(names.at(Buffer.from(text), 0, text.length)).toBe(text);
});

it('a name that came before is not made again, wherever it stands, nor for others as long that begin or end alike', () => {
  const names = new StringCache();
  const bytes = Buffer.from('text next term text.next,term');
  const made = vi.spyOn(bytes, 'toString');
  for (let at = 0; at < bytes.length; at += 5) names.at(bytes, at, at + 4);
  expect(made.mock.results.map(({ value }) => value)).toEqual(['text', 'next', 'term']);
});
