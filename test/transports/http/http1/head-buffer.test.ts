import { describe, expect, it } from 'vitest';
import { BAD_LINES, HeadBuffer, TOO_LONG } from '../../../../src/transports/http/http1/head-buffer.ts';

/** What the last of the pieces brings. */
function take(heads: HeadBuffer, text: string, size: number) {
  const bytes = Buffer.from(text, 'latin1');
  let found: ReturnType<HeadBuffer['take']>;
  for (let at = 0; at < bytes.length; at += size) {
    expect(found).toBeUndefined();
    found = heads.take(Buffer.from(bytes.subarray(at, at + size)));
  }
  return found && 'text' in found ? { text: found.text, rest: found.rest.toString('latin1') } : found;
}

describe('the bytes of a head', () => {
  it('are its text, and what comes after it, however they are cut', () => {
    for (const size of [1, 2, 3, 7]) {
      const heads = new HeadBuffer(100);
      for (let again = 0; again < 2; again++) {
        expect(take(heads, 'A: \xe9\r\nB: c\r\n\r\n', size)).toEqual({ text: 'A: \xe9\r\nB: c', rest: '' });
        expect(heads.hasBegun).toBe(false);
      }
    }
    expect(take(new HeadBuffer(100), 'A\r\n\r\nbody\r\n\r\n', 100)).toEqual({
      text: 'A',
      rest: 'body\r\n\r\n',
    });
  });

  it('show how they begin before they end', () => {
    const heads = new HeadBuffer(100);
    take(heads, 'HTTP/1.1 2', 3);
    expect([heads.hasBegun, heads.start(4), heads.start(99)]).toEqual([true, 'HTTP', 'HTTP/1.1 2']);
  });

  it('beyond the limit are too long, with an end and without', () => {
    for (const size of [3, 100]) {
      expect(take(new HeadBuffer(10), `${'x'.repeat(10)}\r\n\r\n`.slice(0, 10), size)).toBeUndefined();
      expect(take(new HeadBuffer(9), 'x'.repeat(10), size)).toEqual({ fault: TOO_LONG });
    }
    expect(take(new HeadBuffer(9), `${'x'.repeat(10)}\r\n\r\n`, 100)).toEqual({ fault: TOO_LONG });
    expect(take(new HeadBuffer(10), `${'x'.repeat(10)}\r\n\r\n`, 100)).toEqual({
      text: 'x'.repeat(10),
      rest: '',
    });
  });

  it.each(['A\n', '\n', 'A\r\nB\n', 'A\r\nB\n\n', 'A\rB'])('whose lines end otherwise are none: %j', (text) => {
    const pieces = (size: number) => {
      const heads = new HeadBuffer(100);
      let found: ReturnType<HeadBuffer['take']>;
      for (let at = 0; at < text.length && found === undefined; at += size)
        found = heads.take(Buffer.from(text.slice(at, at + size), 'latin1'));
      return found;
    };
    for (const size of [1, 2, 3, 100]) expect(pieces(size)).toEqual({ fault: BAD_LINES });
  });
});
