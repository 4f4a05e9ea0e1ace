import type { Headers } from '../../../channel/frame.ts';
import type { RawHeaders } from '../proxy/http-traffic.ts';

/** Hop-by-hop fields (RFC 9110, 7.6.1). Framing is one of them, because each connection frames messages itself. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Fields that `Connection` cannot remove, because they determine the body's length and the host. */
const NEVER_HOP_BY_HOP: ReadonlySet<string> = new Set(['content-length', 'host']);

/**
 * Returns the end-to-end fields with `change` applied. Hop-by-hop fields and the fields named by `Connection` are
 * removed (RFC 9110, 7.6.1), except `Content-Length` and `Host`.
 */
export function endToEnd(headers: RawHeaders, change: Change = (_, value) => value): string[] {
  const named = listOf(headerOf(headers, 'connection')).filter((name) => !NEVER_HOP_BY_HOP.has(name));
  return mapHeaders(headers, (name, value) =>
    HOP_BY_HOP.has(name) || named.includes(name) ? undefined : change(name, value),
  );
}

/** Returns the new value of a field, by its name in lower case. Undefined removes the field. */
type Change = (name: string, value: string) => string | undefined;

/** Applies `change` to each field. */
export function mapHeaders(headers: RawHeaders, change: Change): string[] {
  const changed: string[] = [];
  for (let n = 0; n < headers.length; n += 2) {
    const name = headers[n]!;
    const next = change(name.toLowerCase(), headers[n + 1]!);
    if (next !== undefined) changed.push(name, next);
  }
  return changed;
}

/** Replaces or adds the fields of `own`. */
export function withHeaders(headers: RawHeaders, own: Headers): string[] {
  const fields = Object.entries(own);
  if (fields.length === 0) return [...headers];
  const others = mapHeaders(headers, (name, value) => (name in own ? undefined : value));
  return [...others, ...fields.flat()];
}

/** Returns the fields by name in lower case. Of repeated names, the last one counts. */
export function byName(raw: RawHeaders): Headers {
  const fields: Headers = {};
  for (let n = 0; n < raw.length; n += 2) fields[raw[n]!.toLowerCase()] = raw[n + 1]!;
  return fields;
}

/** Returns the value of a field, by its name in lower case. Repeated fields are joined to a list (RFC 9110, 5.3). */
export function headerOf(headers: RawHeaders, name: string): string | undefined {
  let joined: string | undefined;
  for (let n = 0; n < headers.length; n += 2) {
    const other = headers[n]!;
    if (other.length !== name.length || other.toLowerCase() !== name) continue;
    const value = headers[n + 1]!;
    joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}

/** Returns the words of a comma-separated field, in lower case. */
export function listOf(value: string | undefined): string[] {
  if (value === undefined) return [];
  const words = value.toLowerCase();
  // Most values are a single word.
  const list = words.includes(',') ? words.split(',') : [words];
  return list.map((word) => word.trim()).filter((word) => word !== '');
}

/** Returns a media type without its parameters, in lower case. */
export function mediaType(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const end = value.indexOf(';');
  return (end < 0 ? value : value.slice(0, end)).trim().toLowerCase();
}

/** Reports whether a body is uncompressed. */
export function isIdentity(headers: RawHeaders): boolean {
  const codings = headerOf(headers, 'content-encoding');
  return codings === undefined || listOf(codings).every((coding) => coding === 'identity');
}
