import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseDecoder } from '../../../src/transports/http/sse.ts';
import { fuzzed } from '../../support/fuzz.ts';

const text = (data: unknown) => (data instanceof Uint8Array ? Buffer.from(data).toString('latin1') : data);

/** What a stream says, read in pieces of `size` bytes. */
function read(stream: string | Uint8Array, size = Number.POSITIVE_INFINITY, holdBytesMax = 1e6): unknown[] {
  const said: unknown[] = [];
  const decoder = new SseDecoder({
    event: ({ data, ...fields }) => said.push({ ...fields, ...(data !== undefined && { data: text(data) }) }),
    comment: (comment) => said.push(comment),
    holdBytesMax,
  });
  const bytes = typeof stream === 'string' ? Buffer.from(stream) : stream;
  for (let at = 0; at < bytes.length; at += size) decoder.write(bytes.subarray(at, at + size));
  decoder.end();
  return said;
}

describe('an event stream (§6)', () => {
  it.each([
    ['data: a\n\n', [{ data: 'a' }]],
    ['data:a\r\rdata: b\r\n\r\n', [{ data: 'a' }, { data: 'b' }]],
    ['\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['data: a\ndata:\ndata:  b\n\n', [{ data: 'a\n\n b' }]],
    ['event: endpoint\ndata: /x\n\n', [{ event: 'endpoint', data: '/x' }]],
    [': keepalive\n\n:\n\n', [' keepalive', '']],
    ['data: a\n: between\ndata: b\n\n', [' between', { data: 'a\nb' }]],
    ['retry: 3s\nunknown: x\n\n', []],
    ['data\n\n', [{ data: '' }]],
    ['\n\n\r\n', []],
    ['data: {"héllo":"\u2028"}\n\n', [{ data: '{"héllo":"\u2028"}' }]],
  ])('%j says %j, cut anywhere', (stream, expected) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(read(stream, size)).toEqual(expected);
  });

  it('tells of a priming event, which has an id and empty data', () => {
    expect(read('id: 4_0\nretry: 300\ndata: \n\n')).toEqual([{ id: '4_0', retry: 300, data: '' }]);
    expect(read('id: 4_0\n\n')).toEqual([{ id: '4_0' }]);
  });

  it('keeps an id out that holds a NUL', () => {
    expect(read('id: a\0b\ndata: x\n\n')).toEqual([{ data: 'x' }]);
  });

  it('gives data that is not UTF-8 as bytes', () => {
    expect(read(Buffer.from('data: \xff\n\n', 'latin1'))).toEqual([{ data: '\xff' }]);
  });

  it('says what was cut off by its end', () => {
    expect(read('data: a\n\ndata: b\ndata: c')).toEqual([{ data: 'a' }, { data: 'b\nc', partial: true }]);
  });

  it('drops what is longer than may be held, and goes on', () => {
    const stream = `data: ${'x'.repeat(50)}\ndata: y\n\ndata: z\n\n`;
    for (const size of [7, 1000])
      expect(read(stream, size, 20)).toEqual([
        { data: expect.stringMatching(/^x{10,20}\n?$/), partial: true },
        { data: 'z' },
      ]);
  });

  it('says the same however it is cut', () => {
    const line = fc.oneof(
      fc.constantFrom('data: x', 'data:', 'id: 1', 'event: e', 'retry: 5', ': c', '', '', 'odd', ':'),
      fc.string({ unit: 'grapheme' }).map((value) => `data: ${value}`),
    );
    const stream = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')))
      .map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(stream, fc.integer({ min: 1, max: 9 }), (whole, size) => {
        expect(read(whole, size)).toEqual(read(whole));
      }),
      fuzzed(500),
    );
  });

  it('is read in steps that grow with its length, one byte at a time', () => {
    const long = `data: ${'x'.repeat(300_000)}\r\n\r\n`;
    expect(read(long, 1)).toEqual([{ data: 'x'.repeat(300_000) }]);
  });
});
