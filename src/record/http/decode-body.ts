import * as zlib from 'node:zlib';
import { headerOf, listOf, mapHeaders } from '../../transports/http/http1/raw-headers.ts';
import type { RawHeaders } from '../../transports/http/proxy/http-traffic.ts';

type Decoder = (data: Buffer, bytesMax: number) => Buffer;

const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = zlib.constants;
/** Ends without an error where the data ends, so that the beginning of a broken body can be read. */
const LENIENT = { finishFlush: Z_SYNC_FLUSH };

const gunzip: readonly Decoder[] = [
  (data, maxOutputLength) => zlib.gunzipSync(data, { maxOutputLength }),
  (data, maxOutputLength) => zlib.gunzipSync(data, { ...LENIENT, maxOutputLength }),
  gunzipWithTail,
];

/** Decoders of each coding: the one that the coding asks for, then those for broken bodies. */
const DECODERS: Readonly<Record<string, readonly Decoder[]>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // Many servers leave out the frame of zlib, and clients accept that.
  deflate: [
    (data, maxOutputLength) => zlib.inflateSync(data, { maxOutputLength }),
    (data, maxOutputLength) => zlib.inflateRawSync(data, { maxOutputLength }),
    (data, maxOutputLength) => zlib.inflateSync(data, { ...LENIENT, maxOutputLength }),
    (data, maxOutputLength) => zlib.inflateRawSync(data, { ...LENIENT, maxOutputLength }),
  ],
  br: [
    (data, maxOutputLength) => zlib.brotliDecompressSync(data, { maxOutputLength }),
    (data, maxOutputLength) =>
      zlib.brotliDecompressSync(data, { finishFlush: BROTLI_OPERATION_FLUSH, maxOutputLength }),
  ],
};

/** Length of the head of gzip without options (RFC 1952, 2.3), and of the sums at its end. */
const GZIP_HEAD = 10;
const GZIP_END = 8;

/** Decodes gzip that something else follows, which stays. */
function gunzipWithTail(data: Buffer, maxOutputLength: number): Buffer {
  const { buffer, engine } = zlib.inflateRawSync(data.subarray(GZIP_HEAD), {
    maxOutputLength,
    info: true,
  }) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  return Buffer.concat([buffer, data.subarray(GZIP_HEAD + engine.bytesWritten + GZIP_END)]);
}

/** Body with the headers that describe it. */
export interface DecodedBody {
  headers: RawHeaders;
  /** Absent: the body exceeds the limit. */
  data?: Uint8Array;
}

/**
 * Decodes a compressed body (RFC 9110, 8.4), which may have been cut off. A broken body is decoded as far as possible,
 * because secrets cannot be found in it otherwise. A body with an unknown coding, or of other bytes, is returned
 * unchanged.
 */
export function decodeBody(headers: RawHeaders, body: Buffer, bytesMax: number): DecodedBody {
  const codings = listOf(headerOf(headers, 'content-encoding')).filter((coding) => coding !== 'identity');
  const plainHeaders = mapHeaders(headers, (name, value) => (name === 'content-encoding' ? undefined : value));
  // The last coding was applied last.
  let data = body;
  for (const coding of codings.reverse()) {
    const decoded = decode(data, DECODERS[coding] ?? [], bytesMax);
    if (decoded === 'too long') return { headers: plainHeaders };
    if (decoded === undefined) return { headers, data: body };
    data = decoded;
  }
  return { headers: plainHeaders, data };
}

function decode(data: Buffer, decoders: readonly Decoder[], bytesMax: number): Buffer | 'too long' | undefined {
  for (const decoder of decoders) {
    try {
      return decoder(data, bytesMax);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'too long';
    }
  }
  return undefined;
}
