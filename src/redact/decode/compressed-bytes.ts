type Decoder = (data: Uint8Array, bytesMax: number) => Buffer;

let loaded: Readonly<Record<string, readonly Decoder[]>> | undefined;

/** Returns the decoders of a coding. They are loaded with the first compressed body: few sessions have one. */
function decodersOf(coding: string): readonly Decoder[] {
  loaded ??= decoders();
  return Object.hasOwn(loaded, coding) ? loaded[coding]! : [];
}

/** Returns the decoders of each coding: the one that the coding asks for, then those for broken bodies. */
function decoders(): Readonly<Record<string, readonly Decoder[]>> {
  const zlib = process.getBuiltinModule('node:zlib');
  const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = zlib.constants;
  /** Ends without an error where the data ends, so that the beginning of a broken body can be read. */
  const lenient = { finishFlush: Z_SYNC_FLUSH };
  const gunzip: readonly Decoder[] = [
    (data, maxOutputLength) => zlib.gunzipSync(data, { maxOutputLength }),
    (data, maxOutputLength) => zlib.gunzipSync(data, { ...lenient, maxOutputLength }),
    gunzipWithTail,
  ];
  /** Zstandard, which Node has since version 22.15. */
  const { zstdDecompressSync } = zlib as { zstdDecompressSync?: typeof zlib.gunzipSync };
  return {
    gzip: gunzip,
    'x-gzip': gunzip,
    // Many servers leave out the frame of zlib, and clients accept that.
    deflate: [
      (data, maxOutputLength) => zlib.inflateSync(data, { maxOutputLength }),
      (data, maxOutputLength) => zlib.inflateRawSync(data, { maxOutputLength }),
      (data, maxOutputLength) => zlib.inflateSync(data, { ...lenient, maxOutputLength }),
      (data, maxOutputLength) => zlib.inflateRawSync(data, { ...lenient, maxOutputLength }),
    ],
    br: [
      (data, maxOutputLength) => zlib.brotliDecompressSync(data, { maxOutputLength }),
      (data, maxOutputLength) =>
        zlib.brotliDecompressSync(data, { finishFlush: BROTLI_OPERATION_FLUSH, maxOutputLength }),
    ],
    ...(zstdDecompressSync && {
      zstd: [(data: Uint8Array, maxOutputLength: number) => zstdDecompressSync(data, { maxOutputLength })],
    }),
  };
}

/** Length of the head of gzip without options (RFC 1952, 2.3), and of the sums at its end. */
const GZIP_HEAD = 10;
const GZIP_END = 8;

/** Decodes gzip that something else follows, which stays. */
function gunzipWithTail(data: Uint8Array, maxOutputLength: number): Buffer {
  const { buffer, engine } = process.getBuiltinModule('node:zlib').inflateRawSync(data.subarray(GZIP_HEAD), {
    maxOutputLength,
    info: true,
  }) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  return Buffer.concat([buffer, data.subarray(GZIP_HEAD + engine.bytesWritten + GZIP_END)]);
}

/** Decodes one content coding. `too long`: the result exceeds the limit. Undefined: nothing can decode it. */
export function decompress(data: Uint8Array, coding: string, bytesMax: number): Buffer | 'too long' | undefined {
  for (const decoder of decodersOf(coding)) {
    try {
      return decoder(data, bytesMax);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'too long';
    }
  }
  return undefined;
}

/** Number of bytes that {@link codingOf} reads. */
export const MAGIC_LENGTH = 4;

/** Returns the coding that the first bytes show: those of gzip, Zstandard (RFC 8878) or the `compress` of UNIX. */
export function codingOf(data: Uint8Array): 'gzip' | 'zstd' | 'compress' | undefined {
  const [a, b, c, d] = data;
  if (a === 0x1f && b === 0x8b && c === 0x08) return 'gzip';
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'zstd';
  return a === 0x1f && b === 0x9d ? 'compress' : undefined;
}

/** Maximum number of codings, one in another. */
export const CODINGS_MAX = 8;

/** Maximum size of what a stored body is decompressed to. */
const DECOMPRESSED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Returns what compressed bytes of a cassette contain. `encoding`: the header `Content-Encoding` beside them. Undefined:
 * the bytes are not compressed. `unreadable`: nobody here can say what they contain.
 */
export function decompressed(data: Uint8Array, encoding = ''): Uint8Array | 'unreadable' | undefined {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const named = codings.filter((coding) => coding !== '' && coding !== 'identity');
  let inner: Uint8Array = data;
  for (let count = 0; count <= CODINGS_MAX; count++) {
    const coding = named.pop() ?? codingOf(inner);
    if (coding === undefined) return count === 0 ? undefined : inner;
    const decoded = count < CODINGS_MAX ? decompress(inner, coding, DECOMPRESSED_BYTES_MAX) : undefined;
    if (typeof decoded !== 'object') break;
    inner = decoded;
  }
  return 'unreadable';
}
