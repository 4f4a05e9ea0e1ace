import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Names } from '../../../src/cassette/subset/names.ts';

it('names are what the bytes say, however many there are', () => {
  const names = new Names();
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
  const names = new Names();
  // 31 × "A" + "a" is 31 × "B" + "B".
  for (const text of ['Aa', 'BB', 'Aa']) expect(names.at(Buffer.from(text), 0, 2)).toBe(text);
});
