import type { RawHeaders } from '../proxy/http-traffic.ts';
import { FIELDS, fieldsOf } from './header-grammar.ts';
import { headerOf, listOf } from './raw-headers.ts';
import type { Framing } from './response-head.ts';

/** Head of a request as received (RFC 9112, 3 and 5). */
export interface RequestHead {
  method: string;
  /** Path, or another form of request target. */
  target: string;
  /** Minor version: HTTP/1.0 or HTTP/1.1. */
  minor: number;
  headers: RawHeaders;
}

/** Reason for refusing a request, with its status. */
export interface Refusal {
  refusal: number;
  why: string;
}

/** Request line with fields. */
const HEAD = new RegExp(String.raw`^([!#$%&'*+.^_\x60|~0-9A-Za-z-]+) ([!-~\x80-\xff]+) HTTP/1\.([01])(${FIELDS})$`);

/** Parses a head without its final empty line. Undefined: it is not HTTP/1, or has folded fields. */
export function parseRequestHead(text: string): RequestHead | undefined {
  const match = HEAD.exec(text);
  if (match === null) return undefined;
  return { method: match[1]!, target: match[2]!, minor: Number(match[3]), headers: fieldsOf(match[4]!) };
}

/**
 * Returns the framing of a request body (RFC 9112, 6.3), or a refusal. Ambiguous framing is refused, because it allows
 * request smuggling.
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

/** Reports whether the connection may carry another request after this one (RFC 9112, 9.3). */
export function mayLast({ minor, headers }: RequestHead): boolean {
  const said = listOf(headerOf(headers, 'connection'));
  return !said.includes('close') && (minor === 1 || said.includes('keep-alive'));
}

function invalid(why: string): Refusal {
  return { refusal: 400, why };
}
