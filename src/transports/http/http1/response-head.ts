import type { RawHeaders } from '../proxy/http-traffic.ts';
import { FIELDS, fieldsOf } from './header-grammar.ts';
import { headerOf, listOf } from './raw-headers.ts';

/** Head of a response as received (RFC 9112, 4 and 5). */
export interface ResponseHead {
  /** Minor version: HTTP/1.0 or HTTP/1.1. */
  minor: number;
  status: number;
  statusMessage: string;
  headers: RawHeaders;
}

/** First characters of every HTTP/1 response. */
export const MARK = 'HTTP/1.';

/** Status line with fields. */
const HEAD = new RegExp(String.raw`^HTTP/1\.([01]) ([1-9]\d\d)(?: ([\t -~\x80-\xff]*))?(${FIELDS})$`);

/** Parses a head without its final empty line. Undefined: it is not HTTP/1, or has folded fields. */
export function parseResponseHead(text: string): ResponseHead | undefined {
  const match = HEAD.exec(text);
  if (match === null) return undefined;
  const headers = fieldsOf(match[4]!);
  return { minor: Number(match[1]), status: Number(match[2]), statusMessage: match[3] ?? '', headers };
}

/** Framing of a body: its length in bytes, `chunks`, or `close` if it ends with the connection. */
export type Framing = number | 'chunks' | 'close';

/**
 * Returns the framing of the response body for a request with `method` (RFC 9112, 6.3). Undefined: the head is
 * contradictory or unsupported.
 */
export function framingOf({ status, headers }: ResponseHead, method: string): Framing | undefined {
  if (method === 'HEAD' || status === 204 || status === 304) return 0;
  const coding = headerOf(headers, 'transfer-encoding');
  const length = headerOf(headers, 'content-length');
  // Two framings in one message are an attack (RFC 9112, 6.1).
  if (coding !== undefined) return coding.toLowerCase() === 'chunked' && length === undefined ? 'chunks' : undefined;
  if (length === undefined) return 'close';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Reports whether the connection may carry another response after this one (RFC 9112, 9.3). */
export function isLasting({ minor, headers }: ResponseHead, framing: Framing): boolean {
  const said = listOf(headerOf(headers, 'connection'));
  if (framing === 'close' || said.includes('close')) return false;
  return minor === 1 || said.includes('keep-alive');
}
