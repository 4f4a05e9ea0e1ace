import { expect, it } from 'vitest';
import { encodeChunks } from '../../../src/fault-proxy/http/encode-chunks.ts';
import { ChunkedDecoder } from '../../../src/transports/http/http1/chunked-decoder.ts';

const piece = (length: number) => Buffer.alloc(length, length % 251);

it('each piece is a chunk, with its length before it', () => {
  expect(encodeChunks([Buffer.from('one'), Buffer.from('x'.repeat(26))]).toString()).toBe(
    `3\r\none\r\n1a\r\n${'x'.repeat(26)}\r\n`,
  );
});

it.each([[1], [15], [16], [255, 256], [4_095, 4_096, 1], [65_535, 65_536], [1_048_576]])(
  'of %j bytes all are there when they are read',
  (...lengths) => {
    const pieces = lengths.map(piece);
    const reader = new ChunkedDecoder();
    expect(reader.data(encodeChunks(pieces)).data.equals(Buffer.concat(pieces))).toBe(true);
    expect(reader.isInvalid).toBe(false);
  },
);
