import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { headerOf, listOf, mapHeaders } from '../../transports/http/http1/raw-headers.ts';
import type { RawHeaders } from '../../transports/http/proxy/http-traffic.ts';

const DECODERS: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Body with the headers that describe it. */
export interface DecodedBody {
  headers: RawHeaders;
  /** Absent: the body exceeds the limit. */
  data?: Uint8Array;
}

/** Decodes a compressed body (RFC 9110, 8.4). A body with an unknown or invalid coding is returned unchanged. */
export function decodeBody(headers: RawHeaders, body: Buffer, bytesMax: number): DecodedBody {
  const codings = listOf(headerOf(headers, 'content-encoding')).filter((coding) => coding !== 'identity');
  const plainHeaders = mapHeaders(headers, (name, value) => (name === 'content-encoding' ? undefined : value));
  try {
    // The last coding was applied last.
    const decode = (data: Buffer, coding: string) => DECODERS[coding]!(data, { maxOutputLength: bytesMax });
    return { headers: plainHeaders, data: codings.reduceRight(decode, body) };
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLong ? { headers: plainHeaders } : { headers, data: body };
  }
}
