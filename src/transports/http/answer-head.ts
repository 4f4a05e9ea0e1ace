import { headerOf, listOf } from './headers.ts';
import type { RawHeaders } from './piece.ts';

/** The head of an answer, as it stood on the wire (RFC 9112, 4 and 5). */
export interface AnswerHead {
  /** Of HTTP/1.0 or HTTP/1.1. */
  minor: number;
  status: number;
  statusMessage: string;
  headers: RawHeaders;
}

/** What an answer of HTTP/1 begins with. */
export const MARK = 'HTTP/1.';

/** A status line, and its fields with the line break before each. */
const HEAD =
  /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t -~\x80-\xff]*))?((?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*)*)$/;
const BREAK = '\r\n';

/** Reads a head, given without its last empty line. Undefined: it is no head of HTTP/1, or one that is folded. */
export function answerHead(text: string): AnswerHead | undefined {
  const match = HEAD.exec(text);
  if (match === null) return undefined;
  const fields = match[4]!;
  const headers: string[] = [];
  for (let at = 0; at < fields.length; ) {
    const start = at + BREAK.length;
    const colon = fields.indexOf(':', start);
    const next = fields.indexOf(BREAK, colon);
    at = next < 0 ? fields.length : next;
    headers.push(fields.slice(start, colon), withoutBlanks(fields.slice(colon + 1, at)));
  }
  return { minor: Number(match[1]), status: Number(match[2]), statusMessage: match[3] ?? '', headers };
}

/** How the end of a body is found: by its length in bytes, by its last chunk, or by the end of the connection. */
export type Framing = number | 'chunks' | 'close';

/** How the body of an answer to `method` is framed (RFC 9112, 6.3). Undefined: its head says nothing that can be followed. */
export function framingOf({ status, headers }: AnswerHead, method: string): Framing | undefined {
  if (method === 'HEAD' || status === 204 || status === 304) return 0;
  const coding = headerOf(headers, 'transfer-encoding');
  const length = headerOf(headers, 'content-length');
  // Two framings in one message are an attack (RFC 9112, 6.1).
  if (coding !== undefined)
    return coding.toLowerCase() === 'chunked' && length === undefined ? 'chunks' : undefined;
  if (length === undefined) return 'close';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Whether the connection may bring another answer after this one (RFC 9112, 9.3). */
export function isLasting({ minor, headers }: AnswerHead, framing: Framing): boolean {
  const said = listOf(headerOf(headers, 'connection'));
  if (framing === 'close' || said.includes('close')) return false;
  return minor === 1 || said.includes('keep-alive');
}

/** Without the blanks around it: those of a header alone, of which there may be many. */
function withoutBlanks(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
