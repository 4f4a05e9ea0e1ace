import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonValueEnd, keyEnd, plainScalarEnd } from '../../../../src/cassette/read/fast-yaml/scalar-ends.ts';
import { isPlain } from '../../../../src/cassette/write/plain-scalar.ts';
import { trickyString } from '../../arbitrary.ts';

const isWhole = (endOf: typeof plainScalarEnd, text: string) =>
  endOf(Buffer.from(`<${text}\n`), 1) === 1 + Buffer.byteLength(text);

describe('the fast answers', () => {
  it('say yes to what most keys and values are', () => {
    expect(
      ['method', 'tools/call', 'a b, c', 'http://x:1', 'ok'].filter((text) => !isWhole(plainScalarEnd, text)),
    ).toEqual([]);
    expect(['0', '42', '""', '"2.0"', '"a: b"'].filter((text) => !isWhole(jsonValueEnd, text))).toEqual([]);
  });

  it('say yes to an exponent alone, which older cassettes have without quotes', () => {
    expect(['e1', 'E0', 'e+12', 'E-007'].filter((text) => !isWhole(plainScalarEnd, text))).toEqual([]);
    expect(keyEnd(Buffer.from('e12: 1\n'), 0)).toBe(3);
  });

  it('end at the colon of a key', () => {
    expect(plainScalarEnd(Buffer.from('a:b: c\n'), 0)).toBe(3);
    expect(plainScalarEnd(Buffer.from('a:b:\n'), 0)).toBe(3);
  });

  it.each([
    ['a b: c', 3],
    ['"n": 1', 3],
    ['"a: b":', 6],
    ['a: b: c', 1],
    ['a b', -1],
    ['"a b"', -1],
    ['12', -1],
    ['12: 3', -2],
    ['"a"x: 1', -2],
    ['"\\n": 1', -2],
    ["'a': 1", -2],
    ['é: 1', -2],
    ['no: 1', -2],
  ])('say where the key of %j ends', (line, end) => {
    expect(keyEnd(Buffer.from(`${line}\n`), 0)).toBe(end);
  });

  it.each(['no', 'Off', 'TRUE', 'null'])('leave %j to others', (text) => {
    expect(isWhole(plainScalarEnd, text)).toBe(false);
  });

  /** What older cassettes have without quotes: text to every reader of YAML 1.2. */
  const AS_OF_OLD = /^e[-+]?\d+$/i;

  it('say yes only to plain scalars that JSON has not to escape', () => {
    fc.assert(
      fc.property(trickyString, (text) => {
        if (!isWhole(plainScalarEnd, text)) return;
        expect(isPlain(text) || AS_OF_OLD.test(text)).toBe(true);
        expect(JSON.stringify(text)).toBe(`"${text}"`);
      }),
      { numRuns: 2000 },
    );
  });

  it('say yes only to JSON that stands as it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          trickyString,
          trickyString.map((text) => JSON.stringify(text)),
        ),
        (text) => {
          if (isWhole(jsonValueEnd, text)) expect(JSON.stringify(JSON.parse(text))).toBe(text);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each(['01', '', '1.0', '-1', '"a', '"', '"a"b"', '"a\\nb"'])('leave %j to others', (text) => {
    expect(isWhole(jsonValueEnd, text)).toBe(false);
  });
});
