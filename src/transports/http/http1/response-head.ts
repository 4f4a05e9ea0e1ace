import type { RawHeaders } from '../proxy/http-traffic.ts';
import { FIELDS, fieldsOf } from './header-grammar.ts';
import { headerOf, listOf } from './raw-headers.ts';

/** Head of a response as received (RFC 9112, 4 and 5). */
export interface ResponseHead {
  /** Of HTTP/1.0 or HTTP/1.1. */
  minor: number;
  status: number;
  statusMessage: string;
  headers: RawHeaders;
}

/** What an answer of HTTP/1 begins with. */
export const MARK = 'HTTP/1.';

/** A status line, and its fields. */
const HEAD = new RegExp(String.raw`^HTTP/1\.([01]) ([1-9]\d\d)(?: ([\t -~\x80-\xff]*))?(${FIELDS})$`);

/** Reads a head, given without its last empty line. Undefined: it is no head of HTTP/1, or one that is folded. */
export function parseResponseHead(text: string): ResponseHead | undefined {
  const match = HEAD.exec(text);
  if (match === null) return undefined;
  const headers = fieldsOf(match[4]!);
  return { minor: Number(match[1]), status: Number(match[2]), statusMessage: match[3] ?? '', headers };
}

/** How a body ends: after its length in bytes, with its last chunk, or with the connection. */
export type Framing = number | 'chunks' | 'close';

/** How the body of an answer to `method` is framed (RFC 9112, 6.3). Undefined: its head says nothing that can be followed. */
export function framingOf({ status, headers }: ResponseHead, method: string): Framing | undefined {
  if (method === 'HEAD' || status === 204 || status === 304) return 0;
  const coding = headerOf(headers, 'transfer-encoding');
  const length = headerOf(headers, 'content-length');
  // Two framings in one message are an attack (RFC 9112, 6.1).
  if (coding !== undefined) return coding.toLowerCase() === 'chunked' && length === undefined ? 'chunks' : undefined;
  if (length === undefined) return 'close';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Whether the connection may bring another answer after this one (RFC 9112, 9.3). */
export function isLasting({ minor, headers }: ResponseHead, framing: Framing): boolean {
  const said = listOf(headerOf(headers, 'connection'));
  if (framing === 'close' || said.includes('close')) return false;
  return minor === 1 || said.includes('keep-alive');
}
