import { CODINGS_MAX, codingOf, decompress } from '../../redact/decode/compressed-bytes.ts';
import { headerOf, listOf, mapHeaders } from '../../transports/http/http1/raw-headers.ts';
import type { RawHeaders } from '../../transports/http/proxy/http-traffic.ts';

/** Body with the headers that describe it. */
export interface DecodedBody {
  headers: RawHeaders;
  /** Absent: the body exceeds the limit. */
  data?: Uint8Array;
}

/**
 * Decodes a compressed body (RFC 9110, 8.4), which may have been cut off. A broken body is decoded as far as possible,
 * because secrets cannot be found in it otherwise. So is one that only its first bytes show to be compressed. A body with
 * an unknown coding, or of other bytes, is returned unchanged.
 */
export function decodeBody(headers: RawHeaders, body: Buffer, bytesMax: number): DecodedBody {
  const codings = listOf(headerOf(headers, 'content-encoding')).filter((coding) => coding !== 'identity');
  if (codings.length > CODINGS_MAX) return { headers, data: body };
  const plainHeaders = mapHeaders(headers, (name, value) => (name === 'content-encoding' ? undefined : value));
  // The last coding was applied last.
  let data = body;
  for (const coding of codings.reverse()) {
    const decoded = decompress(data, coding, bytesMax);
    if (decoded === 'too long') return { headers: plainHeaders };
    if (decoded === undefined) return { headers, data: body };
    data = decoded;
  }
  for (let count = codings.length; count < CODINGS_MAX; count++) {
    const coding = codingOf(data);
    const decoded = coding && decompress(data, coding, bytesMax);
    if (decoded === 'too long') return { headers: plainHeaders };
    if (decoded === undefined) break;
    data = decoded;
  }
  return { headers: plainHeaders, data };
}
