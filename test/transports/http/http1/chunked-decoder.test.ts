import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkedDecoder } from '../../../../src/transports/http/http1/chunked-decoder.ts';

/** What a body says, read in pieces of `size` bytes: its data, how it ended, and how much of it was not read. */
function read(body: string, size = Number.POSITIVE_INFINITY) {
  const chunks = new ChunkedDecoder();
  const bytes = Buffer.from(body, 'latin1');
  let text = '';
  let unread = 0;
  for (let at = 0; at < bytes.length; at += size) {
    const piece = Buffer.from(bytes.subarray(at, at + size));
    const { data, read } = chunks.data(piece);
    text += data.toString('latin1');
    unread += piece.length - read;
  }
  const state = chunks.isInvalid ? 'invalid' : chunks.isOver ? 'over' : 'open';
  return { text, state, unread };
}

describe('chunks (RFC 9112, 7.1)', () => {
  it.each([
    ['2\r\n{}\r\n0\r\n\r\n', '{}'],
    ['1\r\na\r\n1\r\nb\r\n00\r\n\r\n', 'ab'],
    ['1B\r\nthe length has two of them.\r\n0\r\n\r\n', 'the length has two of them.'],
    ['a;x="1;2"\r\n0123456789\r\nA \r\n0123456789\r\n0\r\nX: y\r\nZ: w\r\n\r\n', '01234567890123456789'],
  ])('%j say %j, cut anywhere', (body, text) => {
    for (const size of [1, 2, 3, 7, 1000]) expect(read(body, size)).toEqual({ text, state: 'over', unread: 0 });
  });

  it('are over before what follows them', () => {
    expect(read('1\r\na\r\n0\r\n\r\nHTTP/1.1')).toEqual({ text: 'a', state: 'over', unread: 8 });
  });

  it.each([
    ['zz\r\n', ''],
    ['\r\n', ''],
    ['1\n', ''],
    ['1\r\naX\r\n', 'a'],
    ['1\r\na\n0\r\n\r\n', 'a'],
    ['1\r\na\r\n0\r\n\rX', 'a'],
    ['1;x\n', ''],
    ['00000000000001\r\na', ''],
    [`1;${'x'.repeat(20_000)}`, ''],
    [`0\r\n${'X: y\r\n'.repeat(20_000)}`, ''],
    [`0\r\n${'x\r\n'.repeat(20_000)}`, ''],
    ['0\r\nX: y\n\r\n', ''],
    ['0\r\nX: y\rZ\r\n\r\n', ''],
    ['0\r\n\n', ''],
  ])('that are none are said to be: %.20j', (body, text) => {
    for (const size of [1, 1000]) expect(read(body, size)).toMatchObject({ text, state: 'invalid' });
  });

  it('give back what was said, however it was cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), fc.integer({ min: 1, max: 40 }), (texts, size) => {
        const parts = texts.map((text) => Buffer.from(text).toString('latin1'));
        const body = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
        expect(read(`${body}0\r\n\r\n`, size)).toEqual({ text: parts.join(''), state: 'over', unread: 0 });
      }),
    );
  });
});
