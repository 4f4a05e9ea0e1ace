import type { RawHeaders } from '../proxy/http-traffic.ts';
import { FIELDS, fieldsOf } from './header-grammar.ts';
import { headerOf, listOf } from './raw-headers.ts';
import type { Framing } from './response-head.ts';

/** Head of a request as received (RFC 9112, 3 and 5). */
export interface RequestHead {
  method: string;
  /** A path, or what else may stand there. */
  target: string;
  /** Of HTTP/1.0 or HTTP/1.1. */
  minor: number;
  headers: RawHeaders;
}

/** Why a request is not taken, and the status that says so. */
export interface Refusal {
  refusal: number;
  why: string;
}

/** A request line, and its fields. */
const HEAD = new RegExp(String.raw`^([!#$%&'*+.^_\x60|~0-9A-Za-z-]+) ([!-~\x80-\xff]+) HTTP/1\.([01])(${FIELDS})$`);

/** Reads a head, given without its last empty line. Undefined: it is no head of HTTP/1, or one that is folded. */
export function parseRequestHead(text: string): RequestHead | undefined {
  const match = HEAD.exec(text);
  if (match === null) return undefined;
  return { method: match[1]!, target: match[2]!, minor: Number(match[3]), headers: fieldsOf(match[4]!) };
}

/**
 * How the body of a request is framed (RFC 9112, 6.3), or why that is refused: what two programs might read differently
 * is how requests are smuggled.
 */
export function framingOfRequest({ minor, headers }: RequestHead): Exclude<Framing, 'close'> | Refusal {
  const coding = headerOf(headers, 'transfer-encoding')?.toLowerCase();
  const length = headerOf(headers, 'content-length');
  if (coding === undefined) {
    if (length === undefined) return 0;
    return /^\d{1,15}$/.test(length) ? Number(length) : invalid(`its length is "${length}"`);
  }
  if (length !== undefined) return invalid('it has a length, and comes in chunks');
  if (minor === 0) return invalid('HTTP/1.0 has no chunks');
  if (coding === 'chunked') return 'chunks';
  if (listOf(coding).at(-1) !== 'chunked') return invalid('nothing says where its body ends');
  return { refusal: 501, why: `its transfer coding is "${coding}"` };
}

/** Whether the connection may bring another request after this one (RFC 9112, 9.3). */
export function mayLast({ minor, headers }: RequestHead): boolean {
  const said = listOf(headerOf(headers, 'connection'));
  return !said.includes('close') && (minor === 1 || said.includes('keep-alive'));
}

function invalid(why: string): Refusal {
  return { refusal: 400, why };
}
