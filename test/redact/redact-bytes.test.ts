import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

const SECRET = 'password=correct-horse-7';
const HARMLESS = '{"answer":42}';
const PLACEHOLDER = '[redacted:compressed-body:1]';
const ZSTD = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0xff);
const COMPRESS = Uint8Array.of(0x1f, 0x9d, 0x90, 0x61);

/** Returns the stored body of a response, as text of one byte a letter. */
function stored(body: Uint8Array, encoding?: string): string {
  const headers = encoding === undefined ? {} : { headers: { 'content-encoding': encoding } };
  const frame: Frame = { kind: 'http-response', at: 0, from: 'server', status: 200, ...headers, body };
  const kept = createRedactor({ env: {} }).frame(frame) as { body: Uint8Array };
  return Buffer.from(kept.body).toString('latin1');
}

const same = (body: Uint8Array) => Buffer.from(body).toString('latin1');

describe('compressed bytes', () => {
  it.each([
    ['gzip without a header', gzipSync, undefined],
    ['gzip', gzipSync, 'gzip'],
    ['gzip in gzip', (text: string) => gzipSync(gzipSync(text)), 'GZIP'],
    ['brotli', brotliCompressSync, 'br'],
    ['gzip in brotli', (text: string) => brotliCompressSync(gzipSync(text)), 'gzip, br'],
    ['deflate', deflateSync, ' identity,deflate '],
  ])('of %s stay without a secret, and have a placeholder with one', (_what, compress, encoding) => {
    const [harmless, secret] = [compress(HARMLESS), compress(SECRET)];
    expect(stored(harmless, encoding)).toBe(same(harmless));
    expect(stored(secret, encoding)).toBe(PLACEHOLDER);
  });

  it.each([
    ['compress of UNIX, without a header', COMPRESS, undefined],
    ['compress of UNIX', COMPRESS, 'compress'],
    ['an unknown coding', gzipSync(HARMLESS), 'dcb'],
    ['an unknown coding within gzip', gzipSync(ZSTD.fill(0xff, 4)), 'exi, gzip'],
    ['gzip that is damaged', Uint8Array.of(0x1f, 0x8b, 0x08, 0xff, 0xff), undefined],
    ['what is more than 64 MiB', gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1)), undefined],
    [
      'nine layers of gzip',
      Array.from({ length: 9 }).reduce<Buffer>((data) => gzipSync(data), Buffer.from('a')),
      'gzip',
    ],
    ['many codings', gzipSync(HARMLESS), Array(10_000).fill('gzip').join()],
  ])('of %s have a placeholder, because nobody can look into them', (_what, body, encoding) => {
    expect(stored(body, encoding)).toBe(PLACEHOLDER);
  });

  it.skipIf('zstdDecompressSync' in process.getBuiltinModule('zlib'))(
    'of Zstandard, too, where Node cannot read it',
    () => {
      expect(stored(ZSTD)).toBe(PLACEHOLDER);
    },
  );

  it('are not redacted again', () => {
    expect(stored(Buffer.from(PLACEHOLDER), 'zstd')).toBe(PLACEHOLDER);
  });

  it('are one secret, with one number for the same bytes', () => {
    const { frame, hasRedacted } = createRedactor({ env: {} });
    const line = (data: Uint8Array): Frame => ({ kind: 'line', at: 0, from: 'server', on: 'protocol', data });
    const kept = [COMPRESS, gzipSync(SECRET), COMPRESS].map((data) => (frame(line(data)) as { data: Uint8Array }).data);
    expect(kept.map(same)).toEqual([1, 2, 1].map((n) => `[redacted:compressed-body:${n}]`));
    expect(hasRedacted()).toBe(true);
  });
});

it('bytes without a coding are searched as text', () => {
  const bytes = Uint8Array.from([0xff, ...Buffer.from(` ${SECRET} `)]);
  expect(stored(bytes)).toBe('\xff password=[redacted:password:1] ');
  expect(stored(bytes, 'identity')).toBe('\xff password=[redacted:password:1] ');
});
